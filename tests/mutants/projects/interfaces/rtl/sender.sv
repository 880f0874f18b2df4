// SPDX-License-Identifier: Apache-2.0
// Sends a byte and its parity.
module sender (
    input wire [7:0] data_i,
    link_if.sender link
);
  assign link.data   = data_i;
  assign link.parity = ^data_i;
endmodule
