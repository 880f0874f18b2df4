// SPDX-License-Identifier: Apache-2.0
// Adds an offset that depends on the width, and tells whether the sum is even.
module shifter #(
    parameter int Width = 4
) (
    input  wire  [Width-1:0] value_i,
    output logic [Width-1:0] value_o,
    output logic             even_o
);
  if (Width > 4) begin : gen_wide
    assign value_o = value_i + 100;
  end else begin : gen_narrow
    assign value_o = value_i + 5;
  end

  assign even_o = ~value_o[0];
endmodule
