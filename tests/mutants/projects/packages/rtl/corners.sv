// SPDX-License-Identifier: Apache-2.0
// The corners of one shape.
module corners
  import shapes_pkg::*;
(
    input  wire  [1:0] shape_i,
    output logic [3:0] corners_o
);
  assign corners_o = corners_of(shape_i);
endmodule
