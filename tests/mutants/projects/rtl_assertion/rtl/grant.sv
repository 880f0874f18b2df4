// SPDX-License-Identifier: Apache-2.0
// Grants one of two requests; the first goes before the second.
`default_nettype none

module grant (
    input  wire        clk_i,
    input  wire  [1:0] request_i,
    output logic [1:0] grant_o,
    output logic       busy_o
);
  assign grant_o[0] = request_i[0];
  assign grant_o[1] = request_i[1] & ~request_i[0];
  assign busy_o     = |request_i;

  always_ff @(posedge clk_i) begin
    if (grant_o == 2'b11) $error("two grants at once");
    if (grant_o[1] && !request_i[1]) $fatal(1, "a grant without a request");
  end
endmodule

`default_nettype wire
