// SPDX-License-Identifier: Apache-2.0
// Reports a level that is too high, and says so at length when it is at its highest.
`default_nettype none

module alarm (
    input  wire        clk_i,
    input  wire  [3:0] level_i,
    output logic       over_o
);
  assign over_o = level_i > 4'd12;

  // Five million lines: far more than any limit, and an end of its own.
  always_ff @(posedge clk_i) begin
    if (level_i == 4'd15) repeat (5_000_000) $display("the level is %0d, the highest", level_i);
  end
endmodule

`default_nettype wire
