# SPDX-License-Identifier: Apache-2.0
"""Small designs that between them hold what a schema can get wrong, and how each is driven."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["DESIGNS", "Dut"]


@dataclass(frozen=True)
class Dut:
    """A design with the top `t`, whose only output is its last port, `width` bits wide.

    `inputs` declares what the testbench drives and is connected by `connections`; `drive` is one
    of `steps` steps. `at_least` mutants have to fit into the schema.
    """

    name: str
    text: str
    inputs: str
    connections: str
    drive: str
    width: int
    at_least: int
    steps: int = 60


_PLAIN = """\
`define SUM(x, y) ((x) + (y))
`define LIMIT 4'd9
module t(input logic [3:0] a, b, input logic signed [7:0] s, input logic [15:0] u,
         output logic [47:0] y);
  logic [15:0] w, v; wire [4:0] n = a + b, m = `SUM(a, b) - 5'd1;
  logic q, r;
  assign w = s + 16'sd3;
  assign v = u + s, q = a < `LIMIT && s < 8'sd3;
  assign r = (s >>> b[1:0]) == 8'sd1 // a comment
             || ^u;
  assign y = {w, v, n, m, q, r, a ? a * b : 4'(a - b)};
endmodule
"""
_FSM = """\
package p;
  typedef enum logic [1:0] {Idle, Busy, Done} state_e;
  function automatic logic [3:0] bump(input logic [3:0] x, input logic up);
    if (up) return x + 4'd1;
    return x - 4'd1;
  endfunction
endpackage
module t(input logic clk, rst, go, input logic [3:0] d, output logic [9:0] y);
  import p::*;
  state_e now, next;
  logic [3:0] count;
  logic [1:0] latched;
  always_comb begin
    next = now;
    unique case (now)
      Idle: if (go) next = Busy;
      Busy: if (count == 4'd3) next = Done;
            else if (d[0] && !go) next = Idle;
      default: next = Idle;
    endcase
  end
  always_ff @(posedge clk or negedge rst)
    if (!rst) begin
      now <= Idle; count <= '0;
    end else begin
      now <= next;
      if (now == Busy) count <= bump(count, go | d[1]);
      else if (now == Done)
        if (d > 4'd7) count <= d; else count <= 4'd0;
    end
  always_latch if (go) latched = d[1:0] ^ count[1:0];
  assign y = {now, next, count, latched};
endmodule
"""
_SHARED = """\
module lane #(parameter int W = 2, parameter bit INVERT = 0)
    (input logic clk, input logic [W-1:0] a, output logic [7:0] y);
  logic [W-1:0] held;
  logic signed [W:0] sum;
  always @(posedge clk) begin
    held <= a ^ {W{INVERT}};
    sum = a - held;
    sum = sum >>> 1;
  end
  generate
    if (INVERT) begin : g
      assign y = 8'(sum) + held;
    end else begin : h
      assign y = {held, sum} | 8'd1;
    end
  endgenerate
endmodule
module t(input logic clk, input logic [3:0] a, output logic [31:0] y);
  for (genvar i = 0; i < 2; i++) begin : lanes
    wire [7:0] out;
    lane #(.W(2), .INVERT(i == 1)) u(.clk(clk), .a(a[2*i +: 2] & 2'b11), .y(out));
    assign y[8*i +: 8] = out ^ {4'd0, a};
  end
  lane #(.W(4)) v(.clk(clk), .a(a), .y(y[23:16]));
  lane #(.W(4), .INVERT(1)) w(clk, ~a, y[31:24]);
endmodule
"""
_LOOPS = """\
module t(input logic clk, input logic [7:0] a, input logic [1:0] k, output logic [31:0] y);
  typedef struct packed { logic [3:0] high; logic signed [3:0] low; } pair_t;
  pair_t pair;
  logic [3:0] ones, first;
  logic [7:0] memory[4];
  logic [7:0] seen;
  always_comb begin
    ones = 0;
    first = 4'd8;
    for (int i = 0; i < 8; i++) begin
      if (a[i]) ones = ones + 1'b1;
      if (a[i] && first == 4'd8) first = 4'(i);
    end
  end
  always @* begin
    casez (a[3:0])
      4'b1???: pair = {a[7:4], 4'sd1};
      4'b01?0: begin pair.high = a[3:0] & 4'd6; pair.low = -4'sd2; end
      default: pair = '1;
    endcase
  end
  always @(posedge clk) begin : store
    logic [7:0] next;
    next = memory[k] + a;
    memory[k] <= next;
    seen <= memory[k ^ 2'd1];
    if (a == 8'd0) seen[3:0] <= ones; else if (k == 2'd2) seen[7] <= 1'b0;
  end
  assign y = {ones, first, pair, seen, {2{pair.low + 4'sd1}}};
endmodule
"""
_OLD = """\
module t(clk, a, b, y);
  input clk; input [3:0] a, b; output [15:0] y;
  reg [3:0] count = 4'd0, taken; reg flag; reg [3:0] level;
  integer i;
  always @(a or b) if (a > b) level = a - b; else level = b;
  always @(negedge clk) begin
    count = count + 1;
    if (count[0]) taken <= #1 a + count; else begin taken <= #1 b; flag = ~flag; end
    case (a) 4'd0, 4'd1: flag = 1'b0; 4'd2: flag = b[0]; endcase
  end
  wire odd = ^a; wire [1:0] both; assign both[0] = odd & b[1]; assign #2 both[1] = odd | flag;
  assign y = {both, flag, odd, count, taken, level};
endmodule
"""
_CLOCK = "logic clk = 0; always #5 clk = !clk;"

DESIGNS = (
    Dut(
        "combinational",
        _PLAIN,
        "logic [3:0] a, b; logic signed [7:0] s; logic [15:0] u;",
        "a, b, s, u",
        "{a, b, s, u} = $urandom;",
        48,
        60,
    ),
    Dut(
        "state machine",
        _FSM,
        f"{_CLOCK} logic rst, go; logic [3:0] d; initial begin #12 rst = 0; #10 rst = 1; end",
        "clk, rst, go, d",
        "{go, d} = $urandom;",
        10,
        60,
    ),
    Dut("parameters", _SHARED, f"{_CLOCK} logic [3:0] a;", "clk, a", "a = $urandom;", 32, 25),
    Dut(
        "loops",
        _LOOPS,
        f"{_CLOCK} logic [7:0] a; logic [1:0] k;",
        "clk, a, k",
        "{a, k} = $urandom; if (k == 3) a = 0;",
        32,
        60,
    ),
    Dut(
        "old style",
        _OLD,
        f"{_CLOCK} logic [3:0] a, b;",
        "clk, a, b",
        "{a, b} = $urandom; if (b[3]) a = a & 3;",
        16,
        40,
    ),
)
