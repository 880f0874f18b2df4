// SPDX-License-Identifier: Apache-2.0
// A pipeline: valid bits are reset (active high, asynchronous), data are not; a stage is an instance.
module stage #(
  parameter int ADD = 1
) (
  input  logic clk, rst,
  input  logic v_i,
  input  logic [7:0] d_i,
  output logic v_o,
  output logic [7:0] d_o
);
  always_ff @(posedge clk or posedge rst) begin
    if (rst) v_o <= 1'b0;
    else v_o <= v_i;
  end
  always_ff @(posedge clk) begin
    if (v_i) d_o <= d_i + 8'(ADD);
  end
endmodule

module pipeline (
  input  logic clk, rst,
  input  logic v_i,
  input  logic [7:0] d_i,
  output logic v_o,
  output logic [7:0] d_o,
  output logic [2:0] filled,
  output logic [7:0] served,
  output logic any
);
  logic v1, v2;
  logic [7:0] d1, d2, d3;
  stage #(.ADD(1)) u1 (.clk, .rst, .v_i(v_i), .d_i(d_i), .v_o(v1), .d_o(d1));
  stage #(.ADD(0)) u2 (.clk, .rst, .v_i(v1), .d_i(d1), .v_o(v2), .d_o(d2));
  stage #(.ADD(3)) u3 (.clk, .rst, .v_i(v2), .d_i(d2), .v_o(v_o), .d_o(d3));
  assign d_o    = v_o ? d3 : 8'd0;
  assign filled = {v1, v2, v_o};
  assign any    = v1 || v2 || v_o;
  always_ff @(posedge clk or posedge rst) begin
    if (rst) served <= 8'd0;
    else if (v_o) served <= served + 8'd1;
  end
endmodule
