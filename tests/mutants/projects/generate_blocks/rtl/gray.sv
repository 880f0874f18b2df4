// SPDX-License-Identifier: Apache-2.0
// Gray code of a number, and back.
module gray #(
    parameter int Width = 4,
    parameter int Inverted = 0
) (
    input  wire  [Width-1:0] number_i,
    output logic [Width-1:0] gray_o,
    output logic [Width-1:0] number_o
);
  for (genvar i = 0; i < Width; i++) begin : gen_bit
    if (i == Width - 1) begin : gen_top
      assign gray_o[i] = number_i[i];
    end else begin : gen_other
      assign gray_o[i] = number_i[i] ^ number_i[i+1];
    end
    assign number_o[i] = ^(gray_o >> i);
  end

  if (Inverted != 0) begin : gen_check
    always_comb assert (number_o != number_i);
  end
endmodule
