// SPDX-License-Identifier: Apache-2.0
// Adds two numbers and stops at the largest.
`default_nettype none

module saturate (
    input  wire  [3:0] a_i,
    input  wire  [3:0] b_i,
    output logic [3:0] sum_o,
    output logic       full_o
);
  logic [4:0] wide;

  assign wide   = {1'b0, a_i} + {1'b0, b_i};
  assign full_o = wide > 5'd15;
  assign sum_o  = full_o ? 4'd15 : wide[3:0];
endmodule

`default_nettype wire
