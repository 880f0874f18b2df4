// SPDX-License-Identifier: Apache-2.0
// Says that it is done five steps after it was started.
`default_nettype none

module waiter (
    input  wire  clk_i,
    input  wire  start_i,
    output logic done_o,
    output logic busy_o
);
  logic [2:0] count_q;

  always_ff @(posedge clk_i) begin
    if (start_i) count_q <= 3'd0;
    else if (count_q != 3'd5) count_q <= count_q + 3'd1;
  end

  assign done_o = count_q == 3'd5;
  assign busy_o = ~done_o;
endmodule

`default_nettype wire
