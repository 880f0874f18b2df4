# SPDX-License-Identifier: Apache-2.0
"""What every operator makes of small lines, exactly, and what it leaves alone."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from cocotb_mutants import docs
from cocotb_mutants.operators import OPERATORS
from cocotb_mutants.operators_page import example_design, page, shown
from cocotb_mutants.source import Design
from tests.mutants.unit.designs import around, design, made, planted

CASES: dict[str, list[tuple[str, list[str]]]] = {
    "arithmetic": [
        ("assign f = a[N - 1];", []),
        ("assign f = a * b inside {1, 2};", ["a * b -> a + b"]),
        ("assign y = $bits(a + b);", []),
        ("assign f = a inside {b + 1};", ["b + 1 -> b - 1"]),
        ("assign y = a + b;", ["a + b -> a - b"]),
        ("assign y = a - b;", ["a - b -> a + b"]),
        ("assign y = a * b;", ["a * b -> a + b"]),
        ("assign y = a / b;", ["a / b -> a * b"]),
        ("assign y = a % b;", ["a % b -> a * b"]),
        ("assign y = a ** 2;", ["a ** 2 -> a * 2"]),
        ("assign y = -a;", ["-a -> a"]),
        ("assign y = a * b + 1;", ["a * b -> a + b", "a * b + 1 -> a * b - 1"]),
        ("assign y = a - b * 2;", ["a - b * 2 -> a + b * 2", "b * 2 -> (b + 2)"]),
        ("assign y = a + 0;", []),
        ("assign y = a / 1;", []),
        ("assign f = en + go;", []),
        ("always_comb begin m = a; m += b; end", ["m += b -> m -= b"]),
        ("always_comb begin m = a; m /= b; end", ["m /= b -> m *= b"]),
        ("always_comb begin m = a; m++; end", ["m++ -> m--"]),
        ("always_comb begin m = a; --m; end", ["--m -> ++m"]),
        ("assign t = -8'sd1;", []),
        ("assign y = a + (b - 1);", ["a + (b - 1) -> a - (b - 1)", "b - 1 -> b + 1"]),
        ("assign y = (a + b) * 2;", ["(a + b) * 2 -> (a + b) + 2", "a + b -> a - b"]),
        ("assign y = a - -b;", ["a - -b -> a + -b", "-b -> b"]),
    ],
    "shift": [
        ("assign y = 4'(a << 1);", ["a << 1 -> a >> 1"]),
        ("assign y = a << 1;", ["a << 1 -> a >> 1"]),
        ("assign y = a >> 1;", ["a >> 1 -> a << 1"]),
        ("assign y = a <<< 1;", ["a <<< 1 -> a >>> 1"]),
        ("assign y = a >>> 1;", ["a >>> 1 -> a <<< 1"]),
        ("assign t = s >>> 1;", ["s >>> 1 -> s >> 1"]),
        ("assign y = a << 0;", []),
        ("always_comb begin m = a; m <<= b; end", ["m <<= b -> m >>= b"]),
        ("always_comb begin m = a; m >>>= 2; end", ["m >>>= 2 -> m <<<= 2"]),
    ],
    "operand_swap": [
        ("assign y = a - b;", ["a - b -> b - a"]),
        ("assign y = a / b;", ["a / b -> b / a"]),
        ("assign y = a % b;", ["a % b -> b % a"]),
        ("assign y = a ** b;", ["a ** b -> b ** a"]),
        ("assign y = a << b;", ["a << b -> b << a"]),
        ("assign y = a - a;", []),
        ("assign y = a + b;", []),
        ("assign y = a - b - 1;", ["a - b -> b - a", "a - b - 1 -> 1 - (a - b)"]),
        ("assign y = a - (b - 1);", ["a - (b - 1) -> (b - 1) - a", "b - 1 -> 1 - b"]),
    ],
    "relational": [
        ("assign f = a < b;", ["a < b -> a <= b", "a < b -> a >= b"]),
        ("assign f = a <= b;", ["a <= b -> a < b", "a <= b -> a > b"]),
        ("assign f = a > b;", ["a > b -> a <= b", "a > b -> a >= b"]),
        ("assign f = a >= b;", ["a >= b -> a < b", "a >= b -> a > b"]),
        ("assign f = a == b;", ["a == b -> a != b"]),
        ("assign f = a != b;", ["a != b -> a == b"]),
        ("assign f = a === b;", ["a === b -> a !== b"]),
        ("assign f = a !== b;", ["a !== b -> a === b"]),
        ("assign f = a ==? 8'b1?;", ["a ==? 8'b1? -> a !=? 8'b1?"]),
        ("assign f = a !=? 8'b1?;", ["a !=? 8'b1? -> a ==? 8'b1?"]),
        ("assign f = a > 0 && en;", ["a > 0 -> a <= 0"]),
        ("assign f = a > 0;", ["a > 0 -> a <= 0", "a > 0 -> a >= 0"]),
        ("assign f = s > 8'sd0 && en;", ["s > 8'sd0 -> s <= 8'sd0", "s > 8'sd0 -> s >= 8'sd0"]),
        ("assign f = N > 2;", ["N > 2 -> N <= 2"]),
        ("assign f = 0 < a ? en : go;", ["0 < a -> 0 >= a"]),
    ],
    "logical": [
        (
            "assign f = !(a inside {1, 2} && en);",
            [
                "!(a inside {1, 2} && en) -> (a inside {1, 2} && en)",
                "a inside {1, 2} && en -> a inside {1, 2}",
                "a inside {1, 2} && en -> a inside {1, 2} || en",
                "a inside {1, 2} && en -> en",
            ],
        ),
        (
            "initial begin h = 0; if ((h = en) && go) m = 1; end",
            [
                "(h = en) && go -> (h = en)",
                "(h = en) && go -> (h = en) || go",
                "(h = en) && go -> go",
            ],
        ),
        ("assign f = en && go;", ["en && go -> en", "en && go -> en || go", "en && go -> go"]),
        ("assign f = en || go;", ["en || go -> en", "en || go -> en && go", "en || go -> go"]),
        ("assign f = !en;", ["!en -> en"]),
        (
            "assign f = en && (go || h);",
            [
                "en && (go || h) -> (go || h)",
                "en && (go || h) -> en",
                "en && (go || h) -> en || (go || h)",
                "go || h -> go",
                "go || h -> go && h",
                "go || h -> h",
            ],
        ),
        (
            "assign f = h || en && go;",
            [
                "h || en && go -> en && go",
                "h || en && go -> h",
                "h || en && go -> h && (en && go)",
                "en && go -> (en || go)",
                "en && go -> en",
                "en && go -> go",
            ],
        ),
        (
            "assign f = h && en || go;",
            [
                "h && en -> en",
                "h && en -> h",
                "h && en -> h || en",
                "h && en || go -> go",
                "h && en || go -> h && en",
                "h && en || go -> h && en && go",
            ],
        ),
        ("assign f = en && en;", ["en && en -> en || en"]),
        (
            "assign f = !(en && go);",
            [
                "!(en && go) -> (en && go)",
                "en && go -> en",
                "en && go -> en || go",
                "en && go -> go",
            ],
        ),
        ("assign f = !(en & go) & h;", ["!(en & go) -> (en & go)"]),
    ],
    "bitwise": [
        ("assign y = a & b;", ["a & b -> a | b"]),
        ("assign y = a | b;", ["a | b -> a & b"]),
        ("assign y = a ^ b;", ["a ^ b -> a & b", "a ^ b -> a ~^ b"]),
        ("assign y = a ~^ b;", ["a ~^ b -> a ^ b"]),
        ("assign y = a ^~ b;", ["a ^~ b -> a ^ b"]),
        ("assign y = ~a;", ["~a -> a"]),
        (
            "assign y = a ^ b ^ m;",
            [
                "a ^ b -> a & b",
                "a ^ b -> a ~^ b",
                "a ^ b ^ m -> (a ^ b) & m",
                "a ^ b ^ m -> a ^ b ~^ m",
            ],
        ),
        (
            "assign y = a & ~(b | m);",
            ["a & ~(b | m) -> a | ~(b | m)", "~(b | m) -> (b | m)", "b | m -> b & m"],
        ),
        ("always_comb begin m = a; m &= b; end", ["m &= b -> m |= b"]),
        ("always_comb begin m = a; m |= b; end", ["m |= b -> m &= b"]),
        ("always_comb begin m = a; m ^= b; end", ["m ^= b -> m &= b"]),
    ],
    "reduction": [
        ("assign f = &a;", ["&a -> |a", "&a -> ~&a"]),
        ("assign f = |a;", ["|a -> &a", "|a -> ~|a"]),
        ("assign f = ^a;", ["^a -> ~^a"]),
        ("assign f = ~&a;", ["~&a -> &a", "~&a -> ~|a"]),
        ("assign f = ~|a;", ["~|a -> |a", "~|a -> ~&a"]),
        ("assign f = ~^a;", ["~^a -> ^a"]),
        ("assign f = ^~a;", ["^~a -> ^a"]),
        ("assign f = &en;", ["&en -> ~en"]),
        ("assign f = ~|en;", ["~|en -> en"]),
        ("assign f = !(&a);", ["&a -> |a", "&a -> ~&a"]),
        ("assign f = en&&|a;", ["|a -> &a", "|a -> ~|a"]),
    ],
    "condition": [
        ("if (ON) ; else assign y = b;", ["ON -> !ON"]),
        ("for (genvar k = 0; k != N; k++) assign y[k] = a[k];", []),
        ("for (genvar k = N; k >= 1; k--) assign y[k] = a[k];", ["k >= 1 -> k > 1"]),
        (
            "if (N > 2) begin : wide assign y = a; end else if (ON) begin assign y = b; end",
            ["N > 2 -> N <= 2", "ON -> !ON"],
        ),
        (
            "always_comb begin y = b; if (en) begin end end",
            ["en -> !en", "en -> 1'b0", "en -> 1'b1"],
        ),
        ("always_comb if (en) y = a; else y = b;", ["en -> !en", "en -> 1'b0", "en -> 1'b1"]),
        ("always_comb if (a == b) y = a; else y = b;", ["a == b -> 1'b0", "a == b -> 1'b1"]),
        ("always_comb if (!en) y = a; else y = b;", ["!en -> 1'b0", "!en -> 1'b1"]),
        ("always_comb begin y = b; if (en) y = a; end", ["en -> !en", "en -> 1'b1"]),
        (
            "always_comb begin y = b; if (en) begin y = a; f = 0; end end",
            ["en -> !en", "en -> 1'b0", "en -> 1'b1"],
        ),
        (
            "always_comb if (en && go) y = a; else y = b;",
            ["en && go -> !(en && go)", "en && go -> 1'b0", "en && go -> 1'b1"],
        ),
        (
            "always_comb begin m = a; while (m[0]) m = m >> 1; end",
            ["m[0] -> !m[0]", "m[0] -> 1'b0"],
        ),
        ("always_comb begin m = a; do m = m >> 1; while (m[0]); end", ["m[0] -> !m[0]"]),
        ("if (N > 2) assign y = a; else assign y = b;", ["N > 2 -> N <= 2"]),
        ("if (ON) assign y = a; else assign y = b;", ["ON -> !ON"]),
        ("for (genvar k = 0; k < N; k++) assign y[k] = a[k];", ["k < N -> k <= N"]),
        ("always_comb if (ON) y = a; else y = b;", ["ON -> !ON"]),
        ("always_ff @(posedge clk) if (en) begin q <= a; m <= b; end", ["en -> !en", "en -> 1'b0"]),
        (
            "always_comb if (a inside {1, 2}) y = a; else y = b;",
            [
                "a inside {1, 2} -> !(a inside {1, 2})",
                "a inside {1, 2} -> 1'b0",
                "a inside {1, 2} -> 1'b1",
            ],
        ),
        (
            "always_ff @(posedge clk) if (en) q <= a; else if (go) begin q <= b; m <= a; end",
            ["en -> !en", "en -> 1'b0", "en -> 1'b1", "go -> !go", "go -> 1'b0"],
        ),
    ],
    "clock_enable": [
        ("always_ff @(posedge clk) if (en) q <= a;", ["en -> 1'b1"]),
        ("always_ff @(posedge clk) if (en) q <= a; else q <= b;", []),
        (
            "always_ff @(posedge clk or negedge rst_n) if (!rst_n) q <= 0; else if (en) q <= a;",
            ["en -> 1'b1"],
        ),
        ("always_comb begin y = a; if (en) y = b; end", []),
        ("always_ff @(posedge clk) if (ON) q <= a;", []),
        ('always_ff @(posedge clk) if (en) $display("x");', []),
        (
            "always_ff @(posedge clk) begin if (en) begin if (a < b) q <= a; end end",
            ["en -> 1'b1", "a < b -> 1'b1"],
        ),
    ],
    "ternary": [
        (
            "assign f = (en ? a : b) inside {1, 2};",
            ["en ? a : b -> a", "en ? a : b -> b", "en ? a : b -> en ? b : a"],
        ),
        (
            "assign f = en ? a inside {1} : b inside {2};",
            [
                "en ? a inside {1} : b inside {2} -> a inside {1}",
                "en ? a inside {1} : b inside {2} -> b inside {2}",
                "en ? a inside {1} : b inside {2} -> en ? b inside {2} : a inside {1}",
            ],
        ),
        (
            "assign y = en ? a : b;",
            ["en ? a : b -> a", "en ? a : b -> b", "en ? a : b -> en ? b : a"],
        ),
        ("assign y = en ? a : a;", []),
        ("assign y = a < b ? a : b;", ["a < b ? a : b -> a", "a < b ? a : b -> b"]),
        ("assign y = !en ? a : b;", ["!en ? a : b -> a", "!en ? a : b -> b"]),
        ("assign y = ON ? a : b;", ["ON ? a : b -> ON ? b : a"]),
        ("assign y = N > 2 ? a : b;", []),
        (
            "assign y = en ? a : go ? b : m;",
            [
                "en ? a : go ? b : m -> a",
                "en ? a : go ? b : m -> en ? (go ? b : m) : a",
                "en ? a : go ? b : m -> go ? b : m",
                "go ? b : m -> b",
                "go ? b : m -> go ? m : b",
                "go ? b : m -> m",
            ],
        ),
        (
            "assign y = a + (en ? b : m);",
            ["en ? b : m -> b", "en ? b : m -> en ? m : b", "en ? b : m -> m"],
        ),
        (
            "assign y = 1 + (en ? a + b : m * 2) * 2;",
            [
                "en ? a + b : m * 2 -> a + b",
                "en ? a + b : m * 2 -> en ? m * 2 : a + b",
                "en ? a + b : m * 2 -> m * 2",
            ],
        ),
        ("assign y = en?a:b;", ["en?a:b -> a", "en?a:b -> b", "en?a:b -> en ? b : a"]),
        (
            "assign f = en ? a == b : a != b;",
            [
                "en ? a == b : a != b -> a != b",
                "en ? a == b : a != b -> a == b",
                "en ? a == b : a != b -> en ? a != b : a == b",
            ],
        ),
    ],
    "case_item": [
        (
            "always_comb case (n) 0: y = a; 1, 2: y = b; default: y = 0; endcase",
            ["y = a; -> y = 0;", "y = b; -> y = 0;"],
        ),
        (
            "always_comb begin y = 0; case (n) 0: y = a; 1: begin y = b; f = 1; end endcase end",
            ["begin y = b; f = 1; end -> ;"],
        ),
        (
            "always_comb casez (n) 4'b1???: y = a; default: begin y = 0; f = 0; end endcase",
            ["y = a; -> begin y = 0; f = 0; end", "begin y = 0; f = 0; end -> ;"],
        ),
        ("always_comb unique case (n) 0: y = a; default: ; endcase", []),
        ("always_comb case (n) 0: y = a; default: begin : none y = 0; end endcase", []),
        ("always_comb case (n) 0: y = 0; default: y = 0; endcase", []),
    ],
    "reset_value": [
        ("always_ff @(posedge clk) if (N > 1) q <= 3; else q <= a;", []),
        (
            "always_ff @(posedge clk or negedge rst_n) if (!rst_n) q <= 8'h0; else q <= a + 1;",
            ["8'h0 -> 8'h1", "8'h0 -> 8'hFF"],
        ),
        ("always_ff @(posedge clk or posedge go) if (go) q <= '0; else q <= a;", ["'0 -> '1"]),
        (
            "always_ff @(posedge clk or negedge rst_n) if (rst_n) q <= a; else q <= 7;",
            ["7 -> 0", "7 -> 6", "7 -> 8"],
        ),
        (
            "always_ff @(posedge clk) if (!rst_n) begin q <= '1; state <= IDLE; end else q <= a;",
            ["'1 -> '0", "IDLE -> RUN"],
        ),
        (
            "always_ff @(posedge clk) if (rst_n == 0) q <= 3; else q <= a;",
            ["3 -> 0", "3 -> 2", "3 -> 4"],
        ),
        ("always_ff @(posedge clk) if (a == 0) q <= 0; else q <= a;", ["0 -> (-1)", "0 -> 1"]),
        (
            "always_ff @(posedge clk) begin if (en) m <= 1; if (!rst_n) q <= 0; else q <= 5; end",
            ["0 -> (-1)", "0 -> 1"],
        ),
        (
            "always_ff @(posedge clk or negedge rst_n) if (rst_n == 1'b0) q <= 1; else q <= a;",
            ["1 -> 0", "1 -> 2"],
        ),
    ],
    "constant": [
        ("localparam logic [1:0] P = 1, Q = 1; assign y = P;", []),
        (
            "assign y = a + 8'h10;",
            ["8'h10 -> 8'h00", "8'h10 -> 8'h0F", "8'h10 -> 8'h11", "8'h10 -> 8'hFF"],
        ),
        ("assign y = 8'hFF;", ["8'hFF -> 8'h00", "8'hFF -> 8'hFE"]),
        ("assign y = 8'd0;", ["8'd0 -> 8'd1", "8'd0 -> 8'd255"]),
        (
            "assign y = 8'b0000_0001;",
            [
                "8'b0000_0001 -> 8'b00000000",
                "8'b0000_0001 -> 8'b00000010",
                "8'b0000_0001 -> 8'b11111111",
            ],
        ),
        (
            "assign y = a & 8'o17;",
            ["8'o17 -> 8'o00", "8'o17 -> 8'o16", "8'o17 -> 8'o20", "8'o17 -> 8'o377"],
        ),
        ("assign y = 200;", ["200 -> 0", "200 -> 199", "200 -> 201"]),
        ("assign f = 1'b0;", ["1'b0 -> 1'b1"]),
        ("assign f = 0;", ["0 -> 1"]),
        ("assign f = 1;", ["1 -> 0"]),
        ("assign y = '0;", ["'0 -> '1"]),
        ("assign y = '1;", ["'1 -> '0"]),
        ("assign y = 'x;", []),
        ("assign y = 8'hzz;", []),
        ("assign y = a + 8'd1;", ["8'd1 -> 8'd0", "8'd1 -> 8'd2"]),
        ("assign y = a - 8'd1;", ["8'd1 -> 8'd0", "8'd1 -> 8'd2"]),
        (
            "assign t = -8'sd5;",
            ["8'sd5 -> 8'sd0", "8'sd5 -> 8'sd255", "8'sd5 -> 8'sd4", "8'sd5 -> 8'sd6"],
        ),
        ("assign y = a * 'hF;", ["'hF -> 'h0", "'hF -> 'h10", "'hF -> 'hE"]),
        ("always_comb state = IDLE;", ["IDLE -> RUN"]),
        ("always_comb state = codes::DONE;", ["codes::DONE -> codes::IDLE"]),
        ("localparam logic [1:0] P = 0, Q = 1; assign y = P;", ["P -> Q"]),
        ("localparam int P = 0, Q = 1; assign y = P;", []),
        ("assign f = N != 0;", []),
        ("assign f = a[3];", []),
        (
            "assign y = 8'hf0;",
            ["8'hf0 -> 8'h00", "8'hf0 -> 8'hef", "8'hf0 -> 8'hf1", "8'hf0 -> 8'hff"],
        ),
        (
            "assign y = {2{4'd3}};",
            ["4'd3 -> 4'd0", "4'd3 -> 4'd15", "4'd3 -> 4'd2", "4'd3 -> 4'd4"],
        ),
        (
            "initial begin for (int k = 0; k < 4; k++) mem[k] = 5; end",
            ["0 -> (-1)", "0 -> 1", "4 -> 0", "4 -> 3", "4 -> 5", "5 -> 0", "5 -> 4", "5 -> 6"],
        ),
        (
            "assign y = 8'd 3;",
            ["8'd 3 -> 8'd 0", "8'd 3 -> 8'd 2", "8'd 3 -> 8'd 255", "8'd 3 -> 8'd 4"],
        ),
        (
            "logic [7:0] w = 8'h2;",
            ["8'h2 -> 8'h0", "8'h2 -> 8'h1", "8'h2 -> 8'h3", "8'h2 -> 8'hFF"],
        ),
    ],
    "parameter": [
        ("localparam int P = 3;", ["P = 3 -> P = 2", "P = 3 -> P = 4"]),
        ("localparam int P = 0;", ["P = 0 -> P = 1"]),
        ("localparam logic P = 1'b0;", ["P = 1'b0 -> P = 1'b1"]),
        ("localparam bit P = 1;", ["P = 1 -> P = 0"]),
        ("localparam logic [3:0] P = 4'hF;", ["P = 4'hF -> P = 4'h0", "P = 4'hF -> P = 4'hE"]),
        ("localparam int P = N * 2;", ["P = N * 2 -> P = N * 2 + 1"]),
        ("localparam int P = N > 1 ? 2 : 3;", ["P = N > 1 ? 2 : 3 -> P = (N > 1 ? 2 : 3) + 1"]),
        ("localparam P = '0;", ["P = '0 -> P = '1"]),
        ('localparam string P = "a";', []),
        ("localparam real P = 1.5;", []),
        ("localparam state_t P = RUN;", []),
        ("localparam int P [2] = '{1, 2};", []),
        ("localparam logic [3:0] P = 4'd0;", ["P = 4'd0 -> P = 4'd1", "P = 4'd0 -> P = 4'd15"]),
    ],
    "range": [
        ("logic [N>1?7:3:0] w;", ["[N>1?7:3:0] -> [(N>1?7:3) - 1:0]"]),
        ("logic [7:0] w;", ["[7:0] -> [6:0]"]),
        ("logic w;", []),
        ("logic [0:7] w;", []),
        ("wire [7:0] w;", ["[7:0] -> [6:0]"]),
        ("logic [N-1:0] w;", ["[N-1:0] -> [N-2:0]"]),
        ("logic [N:0] w;", ["[N:0] -> [N - 1:0]"]),
        ("logic [N*2-1:0] w;", ["[N*2-1:0] -> [N*2-2:0]"]),
        ("logic [3:0][7:0] w;", ["[3:0] -> [2:0]"]),
        ("logic [7:0] v, w;", ["[7:0] -> [6:0]"]),
        ("int w;", []),
        ("state_t w;", []),
        ("logic [(N>1?7:3):0] w;", ["[(N>1?7:3):0] -> [(N>1?7:3) - 1:0]"]),
        ("logic [0:0] w;", []),
        ("logic [N - 2 : 0] w;", ["[N - 2 : 0] -> [N - 3 : 0]"]),
    ],
    "select": [
        ("assign n = a[n + 1 +: 4];", []),
        ("assign f = (N'(a[3:0]) == 2) + a[n - 1];", ["a[3:0] -> a[4:1]"]),
        ("assign f = a[3];", ["a[3] -> a[2]", "a[3] -> a[4]"]),
        ("assign f = a[0];", ["a[0] -> a[1]"]),
        ("assign f = a[7];", ["a[7] -> a[6]"]),
        ("assign f = a[n];", ["a[n] -> a[n + 1'b1]", "a[n] -> a[n - 1'b1]"]),
        ("assign f = a[n + 1];", []),
        ("assign f = a[N-1];", ["a[N-1] -> a[N-1 + 1]", "a[N-1] -> a[N-1 - 1]"]),
        ("assign n = a[5:2];", ["a[5:2] -> a[4:1]", "a[5:2] -> a[6:3]"]),
        ("assign y = a[7:0];", []),
        ("assign n = a[N:N-3];", ["a[N:N-3] -> a[N + 1:N-3 + 1]"]),
        (
            "assign n = a[n +: 4];",
            ["a[n +: 4] -> a[n + 1'b1 +: 4]", "a[n +: 4] -> a[n - 1'b1 +: 4]"],
        ),
        (
            "assign n = a[n -: 4];",
            ["a[n -: 4] -> a[n + 1'b1 -: 4]", "a[n -: 4] -> a[n - 1'b1 -: 4]"],
        ),
        ("always_comb mem[n] = a;", ["mem[n] -> mem[n + 1'b1]", "mem[n] -> mem[n - 1'b1]"]),
        (
            "for (genvar k = 0; k < 3; k++) assign y[k] = a[k];",
            ["y[k] -> y[k + 1]", "y[k] -> y[k - 1]", "a[k] -> a[k + 1]", "a[k] -> a[k - 1]"],
        ),
        (
            "assign f = a[en ? 1 : 2];",
            ["a[en ? 1 : 2] -> a[(en ? 1 : 2) + 1]", "a[en ? 1 : 2] -> a[(en ? 1 : 2) - 1]"],
        ),
        (
            "assign n = pair.low; assign f = pair.low[1];",
            ["pair.low[1] -> pair.low[0]", "pair.low[1] -> pair.low[2]"],
        ),
        ("assign f = a[i];", ["a[i] -> a[i + 1]", "a[i] -> a[i - 1]"]),
    ],
    "concat": [
        ("assign y = {n, a[3:0]};", ["{n, a[3:0]} -> {a[3:0], n}"]),
        (
            "assign y = {en, n, go, h, f};",
            [
                "{en, n, go, h, f} -> {en, go, n, h, f}",
                "{en, n, go, h, f} -> {en, n, go, f, h}",
                "{en, n, go, h, f} -> {en, n, h, go, f}",
                "{en, n, go, h, f} -> {n, en, go, h, f}",
            ],
        ),
        ("assign y = {n, n};", []),
        ("assign f = |{en, go};", []),
        ("assign f = !{en, go};", []),
        ("assign f = &{en, go};", []),
        ("assign {h, n} = {en, a[3:0]};", ["{h, n} -> {n, h}", "{en, a[3:0]} -> {a[3:0], en}"]),
        ("assign y = -{n, a[3:0]};", ["{n, a[3:0]} -> {a[3:0], n}"]),
        ("always_comb if ({en, go}) y = a; else y = b;", []),
    ],
    "cast": [
        ("logic [15:0] w; assign w = signed'(a);", ["signed'(a) -> a"]),
        ("logic [15:0] w; assign w = 4'(a);", ["4'(a) -> a"]),
        ("assign y = 16'((a + b) >> 1);", ["16'((a + b) >> 1) -> (a + b) >> 1"]),
        ("assign f = 16'(a + b) > b;", []),
        ("logic [15:0] w; assign w = 16'(a + b);", []),
        ("logic [15:0] w; assign w = 12'(a);", []),
        ("assign t = -16'(a + b);", ["16'(a + b) -> (a + b)"]),
        ("always_comb state = state_t'(n);", []),
        ("real w; initial w = 4'(a);", ["4'(a) -> a"]),
        ("assign f = $signed(a + b)[3];", []),
        ("assign f = ((en ? 4'(a) : 4'(b)) inside {1});", ["4'(a) -> a", "4'(b) -> b"]),
        ("assign f = 4'(a) == n;", ["4'(a) -> a"]),
        ("assign f = $signed(a) < s;", ["$signed(a) -> a"]),
        ("assign f = $unsigned(s) < a;", []),
        ("assign f = signed'(a) < s;", ["signed'(a) -> a"]),
        ("assign f = byte'(a) < s;", ["byte'(a) -> a"]),
        ("assign f = 8'(a) == b;", []),
        ("assign y = 8'(a * b);", []),
        ("assign y = 8'(s);", []),
        ("assign f = 4'(a + b) == n;", ["4'(a + b) -> a + b"]),
        ("assign f = 2'(a) + 1 == n;", ["2'(a) -> a"]),
        ("assign f = 4'(a ? b : m) * 2 == n;", ["4'(a ? b : m) -> (a ? b : m)"]),
        ("assign y = 16'(a) >> 1;", ["16'(a) -> a"]),
    ],
    "delete": [
        ("always_ff @(posedge clk) q <= a;", ["q <= a; -> ;"]),
        ("always_comb begin y = a; put(b); end", ["y = a; -> ;", "put(b); -> ;"]),
        ('always_comb begin y = a; $display("x"); end', ["y = a; -> ;"]),
        ('initial $readmemh("x", mem);', ['$readmemh("x", mem); -> begin end']),
        (
            "always_comb begin y = 0; foreach (a[k]) y ^= a; end",
            ["y = 0; -> ;", "y ^= a; -> begin end"],
        ),
        ("always_comb begin y = 0; y++; end", ["y = 0; -> ;", "y++; -> ;"]),
        ("initial begin force y = 1; end", ["force y = 1; -> ;"]),
        ("always_comb y = a;", ["y = a; -> begin end"]),
        ("initial m = 0;", ["m = 0; -> begin end"]),
        ("assign y = a;", []),
    ],
    "blocking": [
        ("always_ff @(posedge clk) q <= a;", ["q <= a -> q = a"]),
        ("always_comb y = a;", []),
        ("always @(posedge clk) begin m = a; q <= m; end", ["m = a -> m <= a", "q <= m -> q = m"]),
        ("initial m = 0;", []),
        (
            "always_ff @(posedge clk) {q, h} <= {a, b[0]};",
            ["{q, h} <= {a, b[0]} -> {q, h} = {a, b[0]}"],
        ),
    ],
    "nonblocking": [
        ("always_comb y = a;", ["y = a -> y <= a"]),
        ("always_ff @(posedge clk) q <= a;", []),
        ("initial m = 0;", []),
        ("always_comb begin automatic logic [7:0] w = a; w = b; y = w; end", ["y = w -> y <= w"]),
        ("always_comb begin y = a; y += 1; end", ["y = a -> y <= a"]),
    ],
    "edge": [
        ("always @clk m = a;", []),
        (
            "always @((posedge clk) or (negedge rst_n)) q <= a;",
            ["posedge clk -> negedge clk", "negedge rst_n -> posedge rst_n"],
        ),
        ("always_ff @(posedge clk) q <= a;", ["posedge clk -> negedge clk"]),
        (
            "always_ff @(posedge clk or negedge rst_n) if (!rst_n) q <= 0; else q <= a;",
            ["posedge clk -> negedge clk", "negedge rst_n -> posedge rst_n"],
        ),
        ("always @(clk) m = a;", []),
        ("always @(posedge clk iff en) q <= a;", ["posedge clk iff en -> negedge clk iff en"]),
        ("always @* m = a;", []),
        ("always_comb m = a;", []),
        ("initial @(posedge clk) m = 1;", []),
    ],
    "sensitivity": [
        ("always @(a or b) m = a & b;", ["a or b -> a", "a or b -> b"]),
        (
            "always @(a, b, en) m = en ? a : b;",
            ["a, b, en -> a, b", "a, b, en -> a, en", "a, b, en -> b, en"],
        ),
        ("always @(posedge clk) q <= a;", []),
        (
            "always @(posedge clk or negedge rst_n) if (!rst_n) q <= 0; else q <= a;",
            [
                "posedge clk or negedge rst_n -> negedge rst_n",
                "posedge clk or negedge rst_n -> posedge clk",
            ],
        ),
        ("always @* m = a;", []),
        ("always @(a) m = a;", []),
    ],
    "stuck_at": [
        (
            "assign m = a & b;",
            ["a -> 8'h0", "a -> 8'hFF", "a & b -> '0", "a & b -> '1", "b -> 8'h0", "b -> 8'hFF"],
        ),
        ("assign m = 8'h3;", []),
        ("assign m = '0;", []),
        ("assign m = N;", ["N -> '0", "N -> '1"]),
        ("assign m = en ? a : '0;", ["en ? a : '0 -> '1", "a -> 8'h0", "a -> 8'hFF"]),
        ("assign state = IDLE;", []),
        ("wire [7:0] w = m;", ["m -> '0", "m -> '1"]),
        ("assign m = en ? 8'hFF : 8'h00;", []),
        ("assign mem[0] = m;", ["m -> '0", "m -> '1"]),
    ],
    "neighbour": [
        ("always_ff @(posedge clk) h <= rst_n;", ["rst_n -> en", "rst_n -> go"]),
        ("always_comb case (n) 0: y = a; default: y = b; endcase", ["b -> a"]),
        ("always @(posedge clk) pair.low <= a[3:0];", ["a -> b"]),
        (
            "task get(input logic v, output logic w); w = v; endtask always_comb get(en, h);",
            ["en -> go", "en -> rst_n"],
        ),
        ("assign y = m;", ["m -> a", "m -> b"]),
        ("assign f = h;", ["h -> en", "h -> go"]),
        ("always_ff @(posedge clk) q <= m;", ["m -> b", "m -> q"]),
        ("assign y = a + m;", ["a -> b", "m -> b"]),
        ("assign f = en && go;", ["en -> clk", "en -> rst_n", "go -> clk", "go -> rst_n"]),
        ("assign y = en ? a : b;", ["en -> go", "en -> rst_n"]),
        ("function automatic logic [7:0] g(); return a; endfunction", []),
        ("initial m = a;", []),
        ("assign t = s;", []),
        (
            "always_ff @(posedge clk) begin h <= en; f <= h; end",
            ["en -> go", "en -> rst_n", "h -> f", "h -> go"],
        ),
        (
            "for (genvar k = 0; k < 2; k++) begin logic en; assign en = go; assign y[k] = h; end",
            ["go -> clk", "go -> rst_n", "h -> go", "h -> rst_n"],
        ),
        ("assign f = a[2];", ["a -> b"]),
        (
            "logic r; logic [0:0] v; always_ff @(posedge clk) {r, v} <= 2'd0; assign f = v[0];",
            [],
        ),
    ],
    "port_swap": [
        ("sub u (a, , en, y);", []),
        ("sub u (, a, en, y);", []),
        ("sub u (.x(a), .z(b));", ["a -> b; b -> a"]),
        ("sub u (8'(a + 1), b, en, y);", ["8'(a + 1) -> b; b -> 8'(a + 1)"]),
        ("sub u (.x(a), .z(b), .e(en), .y(y));", ["a -> b; b -> a"]),
        ("sub u (a, b, en, y);", ["a -> b; b -> a"]),
        ("sub u (.x(a), .z(a), .e(en), .y(y));", []),
        ("logic [7:0] x, z; logic e; sub u (.x, .z, .e, .y);", [".x -> .x(z); .z -> .z(x)"]),
        ("logic [7:0] x, z; logic e; sub u (.*);", []),
        ("sub u (.x(a + 1), .z(), .e(en), .y(y));", []),
        ("logic [7:0] x; sub u (.x, .z(b), .e(en), .y(y));", [".x -> .x(b); b -> x"]),
    ],
}


@pytest.mark.parametrize(
    ("operator", "body", "expected"),
    [
        pytest.param(operator, body, expected, id=f"{operator}: {body}")
        for operator, cases in CASES.items()
        for body, expected in cases
    ],
)
def test_an_operator_makes_exactly_these_mutants(
    operator: str, body: str, expected: list[str]
) -> None:
    assert made(body, operator) == expected


def test_every_operator_has_cases() -> None:
    assert set(CASES) == set(OPERATORS)


def test_no_text_is_planted_twice() -> None:
    bodies = " ".join(
        body
        for operator in ("relational", "logical", "ternary", "condition", "arithmetic", "case_item")
        for body, _ in CASES[operator]
        if "assign" not in body.split()[1:]
    )
    source = around(re.sub(r"assign \w+ =", "initial m =", bodies))

    found = planted(source).mutants

    results = [tuple((e.start, e.end, e.replacement) for e in mutant.edits) for mutant in found]
    assert len(found) > 100
    assert len(results) == len(set(results))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("input a, output y); assign y = a;", None),
        ("input a, output y); assign y = !a;", None),
        ("input a, output y); wire w = a; assign y = w;", None),
        ("input a, b, output y); assign y = a & b;", "a -> 1'b1"),
        ("input [3:0] a, b, output y); assign y = a < b;", "a -> 4'hF"),
        ("input [3:0] b, a, output y); assign y = a < b;", "a -> 4'hF"),
        ("input b, [3:0] a, output y); assign y = a < b;", "a -> 4'hF"),
        ("input a, b, output y); assign y = a?b:a;", "a -> 1'b1; a -> 1'b1"),
        ("input signed [2:0] a, output y); assign y = a < 1;", "a -> $signed(3'h7)"),
        ("input [3:0] a, output y); assign y = a[1] & a[3];", "a[1] -> 1'b1; a[3] -> 1'b1"),
        ("input [3:0] a, output y); assign y = a[2:1] < 2;", "a[2:1] -> 2'h3"),
        ("input [3:0] a, output y); assign y = a[1+:2] < 2;", "a[1+:2] -> {$bits(a[1+:2]){1'b1}}"),
        ("input [1:0][3:0] a, output y); assign y = a[1] < 2;", "a[1] -> {$bits(a[1]){1'b1}}"),
        ("input int a, output y); assign y = a < 2;", "a -> $signed({$bits(a){1'b1}})"),
        ("input pair_t a, output y); assign y = a.p & a.q;",
         "a.p -> {$bits(a.p){1'b1}}; a.q -> {$bits(a.q){1'b1}}"),
        ("input pair_t a, output pair_t y); assign y = '{p: a.q, q: a.p};",
         "a.q -> {$bits(a.q){1'b1}}; a.p -> {$bits(a.p){1'b1}}"),
        ("input e_t a, output y); assign y = a == A;", None),
        ("input real a, output y); assign y = a < 1.0;", None),
        ("input a, output reg y); always @(posedge a) y <= !a & y;", None),
        ("input a, en, output reg y); always @* if (en) y = a | y; else y = a;",
         "a -> 1'b1; a -> 1'b1"),
        ("input a, output reg y); always @* if (a) y = 1; else y = 0;", None),
        ("input a, input s_t z, output y); assign y = z.a & a;", "a -> 1'b1"),
        ("input a, output s_t y); assign y = '{a: a, b: a};", "a -> 1'b1; a -> 1'b1"),
        ("input a, output y); struct {logic a, b;} s; assign y = s.a & a & s.b;", None),
        ("input a, output y, pair_t z); assign z = '{p: a, q: y}; assign y = a | z.p;",
         "a -> 1'b1; a -> 1'b1"),
        ("input p, q, output pair_t y); assign y = '{p: q, q: p};", None),
        ("input a, output y); sub u (.a, .y); wire w = a & y;", None),
        ("input a, output y); sub u (.*); wire w = a & y;", None),
        ("input a, output y); sub u (.a(a), .y(y)); wire w = a & y;", "a -> 1'b1; a -> 1'b1"),
        ("input a, output y); function f(input a); f = a; endfunction assign y = f(a) & a;", None),
        ("input a, output y); `define USE a & a\n assign y = `USE;", None),
        ("input a, output y); parameter P = 1; if (P) assign y = a & y; else assign y = a | y;",
         "a -> 1'b1; a -> 1'b1"),
    ],
)  # fmt: skip
def test_an_input_port_is_stuck_at_every_read(text: str, expected: str | None) -> None:
    source = design(
        "typedef struct packed {logic p, q;} pair_t; typedef enum {A, B} e_t; "
        "typedef struct packed {logic a, b;} s_t;\n"
        f"module sub (input a, output y); endmodule module top ({text} endmodule"
    )
    ports = [
        mutant.description
        for mutant in planted(source, "stuck_at").mutants
        if mutant.name.startswith("top.a.") and "' -> " not in mutant.description
    ]
    stuck = [text for text in ports if re.search(r"1'b1|[7F3]\)?$|h3|hF|h7", text)]

    assert stuck == ([expected] if expected else [])
    assert len(ports) == 2 * len(stuck)


def test_the_ports_of_an_old_style_header_are_stuck_too() -> None:
    source = design(
        "module top (a, y); input [3:0] a; output y; assign y = a < 3 & a[0]; endmodule"
    )

    found = [mutant.description for mutant in planted(source, "stuck_at").mutants]

    assert "a -> {$bits(a){1'b1}}; a[0] -> {$bits(a[0]){1'b1}}" in found


def test_a_long_expression_changes_only_where_it_must() -> None:
    many = " + ".join(["a"] * 30)
    source = design(
        f"module top (input [7:0] a, output reg [7:0] y, input c);\n"
        f"  always @(posedge c) y <= {many} - y;\n"
        f"  localparam [7:0] P = 1 + {' + '.join(['1'] * 30)};\n"
        f"  wire [99:0] w = {{{', '.join(f'a[{i % 8}]' for i in range(20))}, a, c}};\nendmodule"
    )

    found = {m.operator: m.description for m in planted(source).mutants if len(m.description) < 60}

    assert found["arithmetic"] == "- -> +"
    assert found["blocking"] == "<= -> ="
    assert found["concat"] == "a, c -> c, a"


def test_a_new_operator_does_not_grow_together_with_its_neighbours() -> None:
    source = design("module top (input a, input [1:0] b, output y); assign y = a&&|b; endmodule")

    assert [m.edits[0].replacement for m in planted(source, "reduction").mutants] == [" &b", " ~|b"]


def test_a_select_of_a_parameter_outside_its_range_is_not_made() -> None:
    assert made("localparam logic [3:0] P = 5; assign f = P[3];", "select") == ["P[3] -> P[2]"]


def test_the_documentation_is_what_the_operators_do() -> None:
    written = Path(__file__).parents[3] / "docs" / "operators.md"

    assert written.read_text("utf-8") == page() == docs.page("operators"), (
        "run python -m cocotb_mutants.docs operators > docs/operators.md"
    )


@pytest.mark.parametrize("operator", OPERATORS.values(), ids=lambda operator: operator.name)
def test_every_example_compiles_and_is_changed(operator: object) -> None:
    assert operator.examples  # type: ignore[attr-defined]
    for example in operator.examples:  # type: ignore[attr-defined]
        found: Design = example_design(example)
        assert found.errors == ()
        assert shown(operator, example)  # type: ignore[arg-type]
        assert example.line not in shown(operator, example)  # type: ignore[arg-type]


def test_families_stand_together() -> None:
    families = [operator.family for operator in OPERATORS.values()]

    assert len(dict.fromkeys(families)) == sum(
        here != before for here, before in zip(families, ["", *families], strict=False)
    )
