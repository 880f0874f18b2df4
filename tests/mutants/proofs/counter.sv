// SPDX-License-Identifier: Apache-2.0
// Counters: one that wraps at 9 with an asynchronous reset, one that saturates, one of 20 bits.
module counter #(
  parameter int TOP = 9
) (
  input  logic clk,
  input  logic rst_n,
  input  logic en,
  input  logic clear,
  output logic [3:0] count,
  output logic [7:0] total,
  output logic wrap, high, far, late
);
  logic [19:0] long;
  logic [3:0]  shadow;
  always_ff @(posedge clk or negedge rst_n) begin
    if (!rst_n) begin
      count  <= 4'd0;
      shadow <= 4'd0;
      total  <= 8'd0;
      long   <= 20'd0;
    end else begin
      long <= long + 20'd1;
      if (en) begin
        count  <= (count == 4'(TOP)) ? 4'd0 : count + 4'd1;
        shadow <= (shadow == 4'(TOP)) ? 4'd0 : shadow + 4'd1;
        if (clear) total <= 8'd0;
        else if (total != 8'hFF) total <= total + 8'd1;
      end
    end
  end
  assign wrap = en && (count == 4'(TOP));
  assign high = (count > 4'd5);
  assign late = (total >= 8'd200);
  assign far  = (long == 20'd1000000);
endmodule
