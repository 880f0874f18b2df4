// SPDX-License-Identifier: Apache-2.0
// Shapes, their corners, and how many make a dozen.
package shapes_pkg;
  typedef enum logic [1:0] {
    Circle   = 2'd0,
    Triangle = 2'd1,
    Square   = 2'd2
  } shape_e;

  localparam logic [3:0] Dozen = 4'd12;

  function automatic logic [3:0] corners_of(input logic [1:0] shape);
    case (shape)
      Triangle: corners_of = 4'd3;
      Square:   corners_of = 4'd4;
      default:  corners_of = 4'd0;
    endcase
  endfunction
endpackage
