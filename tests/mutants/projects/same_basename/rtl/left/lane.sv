// SPDX-License-Identifier: Apache-2.0
// The left lane: adds one.
module left_lane (
    input  wire  [3:0] value_i,
    output logic [3:0] value_o
);
  assign value_o = value_i + 4'd1;
endmodule
