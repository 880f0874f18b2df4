// SPDX-License-Identifier: Apache-2.0
// Adds up what comes in.
`default_nettype none

module total (
    input  wire        clk_i,
    input  wire        rst_i,
    input  wire  [7:0] step_i,
    output logic [7:0] total_o,
    output logic       even_o
);
  always_ff @(posedge clk_i) begin
    if (rst_i) total_o <= 8'd0;
    else total_o <= total_o + step_i;
  end

  assign even_o = ~total_o[0];
endmodule

`default_nettype wire
