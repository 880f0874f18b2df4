// SPDX-License-Identifier: Apache-2.0
// Combinational: choices, comparisons, arithmetic on disjoint bits, a guarded division.
module comb #(
  parameter int LIMIT = 10,
  parameter bit TAGGED = 1
) (
  input  logic [7:0] a, b,
  input  logic signed [7:0] s,
  input  logic [3:0] code,
  input  logic en,
  output logic [7:0] least, clipped, packed_up, magnitude,
  output logic [15:0] share,
  output logic [99:0] wide,
  output logic [3:0] ones,
  output logic [1:0] class_of,
  output logic above, both, tag
);
  assign least     = (a < b) ? a : b;
  assign clipped   = (a > 8'(LIMIT)) ? 8'(LIMIT) : a;
  assign packed_up = {a[3:0], 4'b0000} + {4'b0000, b[3:0]};
  assign magnitude = (s < 0) ? -s : s;
  assign share     = (b == 8'd0) ? 16'd0 : {a, 8'd0} / {8'd0, b};
  assign wide      = {92'd0, a} << (code * 6);
  assign above     = (a >= 8'd100) || (a == 8'd255);
  assign both      = en & (a != b);
  assign tag       = TAGGED && a[7];
  always_comb begin
    ones = 4'd0;
    for (int i = 0; i < 8; i++) ones = ones + 4'(a[i]);
  end
  always_comb begin
    class_of = 2'd0;
    unique case (code)
      4'd0, 4'd1: class_of = 2'd1;
      4'd2:       class_of = 2'd2;
      default:    class_of = 2'd3;
    endcase
  end
endmodule
