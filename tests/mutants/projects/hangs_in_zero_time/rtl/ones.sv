// SPDX-License-Identifier: Apache-2.0
// Counts the ones of a word by clearing the lowest until none is left.
`default_nettype none

module ones (
    input  wire  [7:0] data_i,
    output logic [3:0] count_o,
    output logic       odd_o
);
  logic [7:0] rest;

  always @* begin
    count_o = 4'd0;
    rest = data_i;
    while (rest != 8'd0) begin
      count_o = count_o + 4'd1;
      rest = rest & (rest - 8'd1);
    end
  end

  assign odd_o = count_o[0];
endmodule

`default_nettype wire
