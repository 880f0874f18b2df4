// SPDX-License-Identifier: Apache-2.0
// Compares two numbers — „kleiner“ is what is left.
module top (
    input  wire  [3:0] a_i,
    input  wire  [3:0] b_i,
    output logic       more_o,
    output logic       same_o,
    output logic       less_o
);
  groesse u_groesse (.a_i(a_i), .b_i(b_i), .more_o(more_o));
  latin u_latin (.a_i(a_i), .b_i(b_i), .same_o(same_o));

  assign less_o = ~(more_o | same_o);
endmodule
