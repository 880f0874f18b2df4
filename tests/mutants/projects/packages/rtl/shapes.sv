// SPDX-License-Identifier: Apache-2.0
// Corners of a shape, and what is missing to a dozen.
module shapes (
    input  wire  [1:0] shape_i,
    output logic [3:0] corners_o,
    output logic [3:0] missing_o
);
  corners u_corners (.shape_i(shape_i), .corners_o(corners_o));
  assign missing_o = shapes_pkg::Dozen - corners_o;
endmodule
