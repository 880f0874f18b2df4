// SPDX-License-Identifier: Apache-2.0
// Answers a request at once.
`default_nettype none

module latch (
    input  wire        request_i,
    input  wire  [3:0] data_i,
    output logic       answer_o,
    output logic [3:0] data_o
);
  assign answer_o = request_i;
  assign data_o   = request_i ? data_i : 4'd0;
endmodule

`default_nettype wire
