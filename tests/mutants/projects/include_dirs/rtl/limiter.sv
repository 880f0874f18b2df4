// SPDX-License-Identifier: Apache-2.0
// Keeps a number between a floor and a ceiling that come from elsewhere.
`include "floor.svh"

module limiter (
    input  wire  [3:0] value_i,
    output logic [3:0] value_o,
    output logic       cut_o
);
  localparam int Ceiling = `CEILING;
`include "guard.svh"

`ifdef WITH_FLOOR
  assign value_o = value_i < `FLOOR ? `FLOOR : value_i > 4'(Ceiling) ? 4'(Ceiling) : value_i;
`else
  assign value_o = value_i > 4'(Ceiling) ? 4'(Ceiling) : value_i;
`endif
  assign cut_o = value_i != value_o;
endmodule
