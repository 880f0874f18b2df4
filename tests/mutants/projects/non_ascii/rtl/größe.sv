// SPDX-License-Identifier: Apache-2.0
// Größer oder kleiner, 大きい, 🙂: more bytes than characters, before and on the lines that matter.
module groesse (
    input  wire  [3:0] a_i,
    input  wire  [3:0] b_i,
    output logic       more_o
);
  assign /* größer als → */ more_o = a_i > /* „b“ */ b_i;
endmodule
