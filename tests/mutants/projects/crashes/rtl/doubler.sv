// SPDX-License-Identifier: Apache-2.0
// Doubles a number.
`default_nettype none

module doubler (
    input  wire  [6:0] value_i,
    output logic [7:0] double_o
);
  assign double_o = {value_i, 1'b0};
endmodule

`default_nettype wire
