// SPDX-License-Identifier: Apache-2.0
// Chooses one of three numbers.
module chooser (
    input  wire  [1:0] which_i,
    input  wire  [3:0] a_i,
    input  wire  [3:0] b_i,
    output logic [3:0] chosen_o
);
  always_comb begin
    chosen_o = 4'd0;
    if (which_i == 2'd1)
      chosen_o = a_i;
    else if (which_i == 2'd2)
      chosen_o = b_i;
  end
endmodule
