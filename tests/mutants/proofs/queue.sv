// SPDX-License-Identifier: Apache-2.0
// A queue of four: a memory, two pointers, and a count that agrees with them.
module queue (
  input  logic clk, rst_n,
  input  logic push, pop,
  input  logic [7:0] d_i,
  output logic [7:0] d_o,
  output logic empty, full
);
  logic [7:0] mem [4];
  logic [2:0] head, tail;
  logic [2:0] count;
  logic do_push, do_pop;
  assign do_push = push && !full;
  assign do_pop  = pop && !empty;
  always_ff @(posedge clk or negedge rst_n) begin
    if (!rst_n) begin
      head  <= 3'd0;
      tail  <= 3'd0;
      count <= 3'd0;
    end else begin
      if (do_push) tail <= tail + 3'd1;
      if (do_pop)  head <= head + 3'd1;
      count <= count + 3'(do_push) - 3'(do_pop);
    end
  end
  always_ff @(posedge clk) begin
    if (do_push) mem[tail[1:0]] <= d_i;
  end
  assign empty = (count == 3'd0);
  assign full  = (count == 3'd4);
  assign d_o   = empty ? 8'd0 : mem[head[1:0]];
endmodule
