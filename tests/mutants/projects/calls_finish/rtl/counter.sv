// SPDX-License-Identifier: Apache-2.0
// Counts, and ends the simulation at its largest value.
`default_nettype none

module counter (
    input  wire        clk_i,
    input  wire        rst_i,
    output logic [3:0] count_o
);
  logic [3:0] count_q;

  always_ff @(posedge clk_i) begin
    if (rst_i) count_q <= 4'd0;
    else count_q <= count_q + 4'd1;
    if (count_q == 4'd15) $finish;
  end

  assign count_o = count_q;
endmodule

`default_nettype wire
