// SPDX-License-Identifier: Apache-2.0
// Both lanes side by side.
module lane (
    input  wire  [3:0] value_i,
    output logic [3:0] left_o,
    output logic [3:0] right_o
);
  left_lane u_left (.value_i(value_i), .value_o(left_o));
  right_lane u_right (.value_i(value_i), .value_o(right_o));
endmodule
