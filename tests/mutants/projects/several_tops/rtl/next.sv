// SPDX-License-Identifier: Apache-2.0
// The number after, or 0 after the last.
module next (
    input  wire  [3:0] value_i,
    input  wire  [3:0] last_i,
    output logic [3:0] value_o
);
  assign value_o = value_i == last_i ? 4'd0 : value_i + 4'd1;
endmodule
