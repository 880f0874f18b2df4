// SPDX-License-Identifier: Apache-2.0
// The number after among ten.
module wrap (
    input  wire  [3:0] value_i,
    output logic [3:0] value_o
);
  next u_next (.value_i(value_i), .last_i(4'd9), .value_o(value_o));
endmodule
