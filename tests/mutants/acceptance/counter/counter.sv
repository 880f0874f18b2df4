// SPDX-License-Identifier: Apache-2.0
// A schema made by hand: a counter and, behind the selector, ways to go wrong.
module counter #(
    parameter int Top = 200
) (
    input  logic       clk,
    input  logic       rst,
    input  logic       en,
    output logic [7:0] count,
    output logic       zero,
    output logic       unknown,
    output logic       pulse
);
  import cocotb_mutants_select::sel;

  logic [39:0] cocotb_mutants_hit_0  /* verilator public_flat_rw */ = '0;
  int spin;
  bit ping, pong;
  logic follower;

  always_ff @(posedge clk) begin
    if (rst) count <= 8'd0;
    else if (en) begin
      count <= (sel == 1) ? count - 8'd1 : (sel == 32'hFFFF_FFFF) ? ~count : count + 8'd1;
      if (sel == 0) cocotb_mutants_hit_0[0] <= 1'b1;
    end
    if (sel == 0 && !rst) cocotb_mutants_hit_0[39] <= 1'b1;
  end

  assign zero = (sel == 2) ? count != 8'd0 : count == 8'd0;
  assign unknown = (sel == 3) ? 1'bx : 1'b0;

  // Where each delta counts this is 1 for a moment, whenever the clock changes.
  always @(clk) follower <= clk;
  assign pulse = (follower ^ clk) === 1'b1;

  assign ping = pong ^ (sel == 16);
  assign pong = ping;

  always @(posedge clk) begin
    if (sel == 10) $finish;
    if (sel == 11) $stop;
    if (sel == 12 && en) $error("en while sel is %0d", sel);
    if (sel == 13) $fatal(1, "given up");
    while (sel == 14) spin = spin + 1;
    while (sel == 15) $display("and so on and so on and so on and so on and so on");
    if (count > Top[7:0]) $display("past the top");
  end
endmodule
