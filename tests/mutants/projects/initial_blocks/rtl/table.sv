// SPDX-License-Identifier: Apache-2.0
// A table of squares, filled before the start, and a count that has a first value.
module squares (
    input  wire        clk_i,
    input  wire  [1:0] index_i,
    output logic [3:0] square_o,
    output logic [3:0] count_o,
    output logic [3:0] first_o
);
  logic [3:0] squares_q[4];
  logic [3:0] count_q = 4'd7;
  logic [3:0] first_q;

  initial begin
    first_q = 4'd5;
    for (int i = 0; i < 4; i++) squares_q[i] = 4'(i * i);
  end

  always_ff @(posedge clk_i) count_q <= count_q + 4'd1;

  assign square_o = squares_q[index_i];
  assign count_o  = count_q;
  assign first_o  = first_q;
endmodule
