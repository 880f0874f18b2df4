// SPDX-License-Identifier: Apache-2.0
// Receives a byte; a bad one counts as 0.
module receiver (
    link_if.receiver link,
    output logic [7:0] data_o,
    output logic       good_o
);
  assign good_o = link.good();
  assign data_o = link.good() ? link.data : 8'd0;
endmodule
