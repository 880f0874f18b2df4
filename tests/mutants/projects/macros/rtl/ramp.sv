// SPDX-License-Identifier: Apache-2.0
// Cuts a number off at 9, and adds 3 to it.
`define CLAMP(x, top) ((x) > (top) ? (top) : (x))
`define STEP 5'd3
`define PASS(x) x

module ramp (
    input  wire  [3:0] value_i,
    output logic [3:0] clamped_o,
    output logic [4:0] stepped_o
);
  assign clamped_o = `CLAMP(value_i, 4'd9);
`ifdef DOWNWARDS
  assign stepped_o = {1'b0, value_i} - `STEP;
`else
  assign stepped_o = `PASS({1'b0, value_i}) + `STEP;
`endif
endmodule
