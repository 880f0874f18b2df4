# SPDX-License-Identifier: Apache-2.0
"""Sites are found in every part of a design, each once."""

from __future__ import annotations

import pytest

from tests.mutants.unit.designs import design, planted


def lines(text: str, *operators: str, top: str = "top") -> list[str]:
    found = planted(design(text, top=top), *operators).mutants
    return [f"{mutant.module}:{mutant.line} {mutant.description}" for mutant in found]


def test_a_module_instantiated_with_many_parameters_has_its_sites_once() -> None:
    text = """\
module sub #(parameter W = 1) (input [W-1:0] a, output y);
  assign y = |a && a != 1;
endmodule
module top (input [7:0] a, output [3:0] y);
  sub #(.W(8)) u (.a(a), .y(y[0]));
  sub #(.W(4)) v (.a(a[3:0]), .y(y[1]));
  sub #(.W(4)) w [1:0] (.a(a), .y(y[3:2]));
endmodule
"""
    assert lines(text, "relational") == ["sub:2 a != 1 -> a == 1"]


def test_generate_iterations_are_one_site_and_dead_branches_none() -> None:
    text = """\
module top #(parameter ON = 1) (input [3:0] a, b, output [3:0] y);
  for (genvar i = 0; i < 4; i++) begin : lane
    if (ON) assign y[i] = a[i] && b[i];
    else assign y[i] = a[i] || b[i];
    case (i)
      0: wire z = !a[i];
      default: wire z = b[i] && !a[i];
    endcase
  end
endmodule
"""
    assert lines(text, "logical") == [
        "top:3 a[i] && b[i] -> a[i]",
        "top:3 a[i] && b[i] -> a[i] || b[i]",
        "top:3 a[i] && b[i] -> b[i]",
        "top:6 !a[i] -> a[i]",
        "top:7 b[i] && !a[i] -> !a[i]",
        "top:7 b[i] && !a[i] -> b[i]",
        "top:7 b[i] && !a[i] -> b[i] || !a[i]",
        "top:7 !a[i] -> a[i]",
    ]


def test_generate_conditions_are_sites_though_no_branch_holds() -> None:
    text = """\
module top #(parameter N = 1) (input a, output y);
  if (N > 4) begin assign y = a; end
  else if (N > 2) begin assign y = !a; end
  else if (N == 1) begin if (N) assign y = 0; end
endmodule
"""
    assert lines(text, "condition") == [
        "top:2 N > 4 -> N <= 4",
        "top:3 N > 2 -> N <= 2",
        "top:4 N == 1 -> N != 1",
        "top:4 N -> !N",
    ]


def test_the_sites_of_both_branches_are_found_if_both_are_built() -> None:
    text = """\
module sub #(parameter ON = 1) (input a, b, output y);
  if (ON) assign y = a && b; else assign y = a || b;
endmodule
module top (input a, b, output y, z);
  sub #(1) u (a, b, y); sub #(0) v (a, b, z);
endmodule
"""
    assert len(lines(text, "logical")) == 6


def test_packages_functions_structs_and_enums() -> None:
    text = """\
package p;
  localparam logic [3:0] Limit = 4'd9;
  typedef enum logic [1:0] {A, B, C} e_t;
  typedef struct packed {logic [3:0] n; e_t e;} s_t;
  function automatic logic [3:0] up(input logic [3:0] n);
    if (n < Limit) return n + 4'd2;
    up = n;
  endfunction
endpackage
module top import p::*; (input s_t i, output s_t o);
  always_comb begin
    o.n = up(i.n);
    o.e = i.e == A ? B : p::C;
  end
endmodule
"""
    assert lines(text, "arithmetic", "relational", "constant", "ternary", "parameter") == [
        "p:2 Limit = 4'd9 -> Limit = 4'd10",
        "p:2 Limit = 4'd9 -> Limit = 4'd8",
        "p:6 n < Limit -> n <= Limit",
        "p:6 n < Limit -> n >= Limit",
        "p:6 n + 4'd2 -> n - 4'd2",
        "p:6 4'd2 -> 4'd0",
        "p:6 4'd2 -> 4'd1",
        "p:6 4'd2 -> 4'd15",
        "p:6 4'd2 -> 4'd3",
        "top:13 i.e == A -> i.e != A",
        "top:13 i.e == A ? B : p::C -> B",
        "top:13 i.e == A ? B : p::C -> p::C",
        "top:13 A -> B",
        "top:13 B -> C",
        "top:13 p::C -> p::A",
    ]


def test_interfaces_and_functions_of_a_file() -> None:
    text = """\
function automatic logic both(input logic a, b); return a && b; endfunction
interface link (input logic clk);
  logic valid, ready;
  wire moves = valid && ready;
  modport source (output valid, input clk, ready, moves);
endinterface
module sub (link.source l, input logic a);
  always_ff @(posedge l.clk) if (l.moves) l.valid <= both(a, !l.ready);
endmodule
module top (input logic clk, a, output logic y);
  link l (.clk(clk));
  sub s (.l(l), .a(a));
  assign l.ready = !a;
  assign y = l.moves;
endmodule
"""
    found = lines(text, "logical", "clock_enable")

    assert [line.partition(" ")[0] for line in found] == [
        *["$unit:1"] * 3,
        *["link:4"] * 3,
        *["sub:8"] * 2,
        "top:13",
    ]


def test_loops_memories_and_tasks() -> None:
    text = """\
module top (input logic clk, input logic [7:0] a, output logic [7:0] y);
  logic [7:0] mem [0:3];
  task automatic store(input logic [7:0] v, input int at); mem[at] = v + 1; endtask
  always_comb begin
    y = 0;
    for (int i = 0; i < 4; i++) y += mem[i];
    foreach (mem[k]) y ^= mem[k];
    repeat (2) y = y << 1;
  end
  always @(posedge clk) begin : put
    integer at;
    at = a[1:0];
    while (at > 2) at = at - 1;
    do at--; while (at > 3);
    forever begin store(a, at); break; end
    wait (at < 9) at = 0;
  end
endmodule
"""
    found = lines(text, "arithmetic", "relational", "delete", "shift")

    assert found == [
        "top:3 mem[at] = v + 1; -> ;",
        "top:3 v + 1 -> v - 1",
        "top:5 y = 0; -> ;",
        "top:6 i < 4 -> i <= 4",
        "top:6 i < 4 -> i >= 4",
        "top:6 i++ -> i--",
        "top:6 y += mem[i] -> y -= mem[i]",
        "top:6 y += mem[i]; -> ;",
        "top:7 y ^= mem[k]; -> begin end",
        "top:8 y = y << 1; -> ;",
        "top:8 y << 1 -> y >> 1",
        "top:12 at = a[1:0]; -> ;",
        "top:13 at > 2 -> at <= 2",
        "top:13 at > 2 -> at >= 2",
        "top:13 at = at - 1; -> ;",
        "top:13 at - 1 -> at + 1",
        "top:14 at-- -> at++",
        "top:14 at--; -> ;",
        "top:14 at > 3 -> at <= 3",
        "top:14 at > 3 -> at >= 3",
        "top:15 store(a, at); -> ;",
        "top:16 at < 9 -> at <= 9",
        "top:16 at < 9 -> at >= 9",
        "top:16 at = 0; -> ;",
    ]


def test_checks_are_not_mutated() -> None:
    text = """\
module top (input logic clk, a, b, output logic y);
  assign y = a;
  assert property (@(posedge clk) a && b |-> y == a);
  always_comb begin
    assert (a || !b) else $error("%d", a + b);
    $display("%d", a && b);
  end
  initial $monitor("%b", !a);
endmodule
"""
    found = lines(text, "logical", "relational", "arithmetic", "delete", "constant")

    assert found == []


def test_labels_of_a_case_are_sites_only_where_they_are_no_constants() -> None:
    text = """\
module top (input logic [3:0] a, output logic [3:0] y);
  localparam logic [3:0] Two = 2;
  always_comb begin
    y = 0;
    case (a) 4'd1: y = 1; Two: y = 2; default: y = 3; endcase
    case (1'b1) a[0] && a[1]: y = 4; !a[2]: y = 5; endcase
  end
endmodule
"""
    assert [line for line in lines(text, "logical") if "-> ;" not in line] == [
        "top:6 a[0] && a[1] -> a[0]",
        "top:6 a[0] && a[1] -> a[0] || a[1]",
        "top:6 a[0] && a[1] -> a[1]",
        "top:6 !a[2] -> a[2]",
    ]
    assert not [line for line in lines(text, "constant") if "4'd1" in line]


def test_values_given_to_parameters_of_instances() -> None:
    text = """\
module sub #(parameter int A = 1, B = 2, parameter type T = logic, localparam int C = A + B)
  (input T x, output T y);
  assign y = x;
endmodule
module top (input logic a, output logic [2:0] y);
  sub #(.B(7), .A(3)) u (.x(a), .y(y[0]));
  sub #(5, 9) v (.x(a), .y(y[1]));
  sub #(.T(logic)) w (.x(a), .y(y[2]));
endmodule
"""
    assert lines(text, "parameter") == [
        "sub:1 A = 1 -> A = 0",
        "sub:1 A = 1 -> A = 2",
        "sub:1 B = 2 -> B = 1",
        "sub:1 B = 2 -> B = 3",
        "sub:1 C = A + B -> C = A + B + 1",
        "top:6 .B(7) -> .B(6)",
        "top:6 .B(7) -> .B(8)",
        "top:6 .A(3) -> .A(2)",
        "top:6 .A(3) -> .A(4)",
        "top:7 5 -> 4",
        "top:7 5 -> 6",
        "top:7 9 -> 10",
        "top:7 9 -> 8",
    ]


def test_declared_ranges_of_ports_are_those_of_outputs() -> None:
    text = """\
module top (input logic [3:0] a, output logic [3:0] y, inout wire [3:0] z, input [2:0] b, c);
  assign y = a + b + c;
endmodule
"""
    assert lines(text, "range") == ["top:1 [3:0] -> [2:0]", "top:1 [3:0] -> [2:0]"]


@pytest.mark.parametrize(
    "text",
    [
        "and g (y, a, b);",
        "assign y = top.a; defparam u.P = 3; sub #(2) u ();",
        "clocking cb @(posedge a); input b; endclocking",
        "let both(x, z) = x && z; assign y = both(a, b);",
        "specify (a => y) = 1; endspecify",
        "initial begin fork y = 1; join_none disable fork; end",
        "initial begin event e; -> e; @e; wait fork; end",
        "initial begin randcase 1: y = a; 2: y = b; endcase end",
        "class c; int x; function int f(); return x + 1; endfunction endclass",
        "initial begin int q[$]; q.push_back(1); y = q[0] > q.size(); end",
        'initial begin string s; s = {s, "a"}; y = s == "b"; end',
        "initial begin int d[int]; d[3] = 1; y = d[2]; end",
        "initial begin real r; r = 1.5 * 2.0; y = r > 1.0; end",
        "initial begin void'($random); y = $countones({a, b}) > 1; end",
        "typedef union tagged {void n; int v;} u_t; u_t u; "
        "initial case (u) matches tagged n: y = a; tagged v .x: y = x > 1; endcase",
        "initial if (a &&& b) y = 1;",
        "bind top sub w (); ",
        "assign {y} = '{a};",
        "logic [1:0][3:0] m; initial m = '{default: a, 0: b};",
        "initial for (int i = 0, j = 9; i < j; i++, j--) y = a;",
        "initial begin int i; for (i = 0; ; i++) break; end",
        "alias a = b;",
        "assign implied = a; assign y = implied;",
        "nettype real r_t; r_t w;",
        "initial begin automatic int v = a + b; static int w = 3; y = v > w; end",
        "function void f(output logic o, inout logic p, ref logic q); o = !p; endfunction",
        "initial begin assign y = a; deassign y; release y; end",
        "wire #3 w = a; assign #2 y = w;",
        "logic y2; assign y2 = a inside {[0:1], b};",
        "assign y = a ? b : 'z;",
        "logic s, t; always_comb {>>{s, t}} = {<<4{a, b}};",
        "generate genvar g; for (g = 0; g < 2; g = g + 1) begin wire q = g == 1; end endgenerate",
    ],
)
def test_rare_parts_of_the_language_are_walked_without_a_complaint(text: str) -> None:
    before = "module sub #(parameter P = 1) (); endmodule\n"

    source = design(f"{before}module top (inout wire a, b, output logic y);\n{text}\nendmodule\n")

    assert planted(source).mutants is not None


@pytest.mark.parametrize(
    ("header", "names"),
    [
        ("always_comb", {"top.y"}),
        ("always_ff @(posedge clk)", {"top.y"}),
    ],
)
def test_a_condition_is_named_after_what_it_guards(header: str, names: set[str]) -> None:
    text = f"module top (input logic clk, a, output logic y); {header} if (a) y = 1; endmodule"

    found = planted(design(text), "condition", "clock_enable").mutants

    assert {mutant.name.rpartition(".")[0] for mutant in found} == names
