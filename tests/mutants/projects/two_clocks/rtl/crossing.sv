// SPDX-License-Identifier: Apache-2.0
// Counts on one clock what is sent on another: a toggle goes through two registers.
module crossing (
    input  wire        clk_a_i,
    input  wire        rst_a_i,
    input  wire        send_i,
    input  wire        clk_b_i,
    input  wire        rst_b_i,
    output logic [3:0] sent_o,
    output logic [3:0] received_o
);
  logic toggle_q;
  logic [2:0] sync_q;

  always_ff @(posedge clk_a_i) begin
    if (rst_a_i) begin
      toggle_q <= 1'b0;
      sent_o   <= 4'd0;
    end else if (send_i) begin
      toggle_q <= ~toggle_q;
      sent_o   <= sent_o + 4'd1;
    end
  end

  always_ff @(posedge clk_b_i) begin
    if (rst_b_i) begin
      sync_q     <= 3'd0;
      received_o <= 4'd0;
    end else begin
      sync_q <= {sync_q[1:0], toggle_q};
      if (sync_q[2] != sync_q[1]) received_o <= received_o + 4'd1;
    end
  end
endmodule
