// SPDX-License-Identifier: Apache-2.0
// The number after; 15 has none but 0.
module up (
    input  wire  [3:0] value_i,
    output logic [3:0] value_o,
    output logic       zero_o
);
  next u_next (.value_i(value_i), .last_i(4'd15), .value_o(value_o));
  assign zero_o = value_o == 4'd0;
endmodule
