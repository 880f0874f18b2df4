// SPDX-License-Identifier: Apache-2.0
// A sender and a receiver.
module pair (
    input  wire  [7:0] data_i,
    output logic [7:0] data_o,
    output logic       good_o
);
  link_if link ();
  sender u_sender (.data_i(data_i), .link(link));
  receiver u_receiver (.link(link), .data_o(data_o), .good_o(good_o));
endmodule
