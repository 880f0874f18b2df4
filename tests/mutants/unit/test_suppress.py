# SPDX-License-Identifier: Apache-2.0
"""Comments silence what they name, on the line they mean, and only with a reason."""

from __future__ import annotations

import pytest

from cocotb_mutants.errors import SourceError
from cocotb_mutants.generate import MutantSet, Request, generate
from tests.mutants.unit.designs import FILE, design, planted


def found(*lines: str, operators: tuple[str, ...] = ("logical", "relational")) -> MutantSet:
    body = "\n".join(lines)
    text = f"module top (input a, b, input [3:0] n, output y, z, w);\n{body}\nendmodule\n"
    return planted(design(text), *operators)


def silenced(result: MutantSet) -> list[tuple[int, str, str]]:
    return [(mutant.line, mutant.operator, reason) for mutant, reason in result.ignored]


def test_a_comment_behind_code_silences_its_own_line() -> None:
    result = found(
        "assign y = !a; // mutants: off logical y is not used", "assign z = !a;", "assign w = !b;"
    )

    assert silenced(result) == [(2, "logical", "y is not used")]
    assert [mutant.line for mutant in result.mutants] == [3, 4]
    assert result.idle == ()


def test_a_comment_on_a_line_of_its_own_silences_the_next_line_with_code() -> None:
    result = found(
        "assign w = !a;",
        "// mutants: off logical both are debug",
        "// mutants: off relational too",
        "",
        "/* why */ assign y = !a; assign z = n > 3;",
        "wire x = !b;",
    )

    assert sorted(silenced(result)) == [
        (6, "logical", "both are debug"),
        (6, "relational", "too"),
        (6, "relational", "too"),
    ]
    assert [mutant.line for mutant in result.mutants] == [2, 7]


def test_all_silences_every_operator() -> None:
    result = found("assign y = !a && n > 3; // mutants: off all dead code", "assign z = !b;")

    assert {line for line, _, _ in silenced(result)} == {2}
    assert len(result.ignored) == 6
    assert [mutant.line for mutant in result.mutants] == [3]


def test_a_multi_edit_mutant_is_silenced_at_any_of_its_lines() -> None:
    result = found(
        "assign y = a | b;",
        "assign z = a & b; // mutants: off stuck_at tied in the package",
        operators=("stuck_at",),
    )

    stuck = [mutant for mutant, _ in result.ignored if len(mutant.edits) == 2]
    assert {mutant.name[:6] for mutant in stuck} == {"top.a.", "top.b."}


def test_a_comment_that_silences_nothing_is_reported() -> None:
    result = found(
        "assign y = !a; // mutants: off relational nothing is compared",
        "assign z = !b;",
        "// mutants: off all there is nothing behind",
    )

    assert [(comment.line, comment.operator) for comment in result.idle] == [(2, "relational")]


def test_with_all_operators_every_idle_comment_is_reported() -> None:
    result = found("assign y = a;", "// mutants: off all end of the module", operators=())

    assert [(comment.file, comment.line) for comment in result.idle] == [(FILE, 3)]


def test_a_comment_for_an_operator_that_is_not_used_is_not_idle() -> None:
    result = found("assign y = a; // mutants: off delete no process", operators=("logical",))

    assert result.idle == ()


def test_crlf_and_a_byte_order_mark_do_not_matter() -> None:
    text = (
        b"\xef\xbb\xbf// mutants: off all unused\r\nmodule top (input a, output y);"
        b" assign y = !a;\r\nendmodule\r\n"
    )

    result = generate(design(text), [FILE], Request(("logical",)))

    assert [reason for _, reason in result.ignored] == ["unused"]


@pytest.mark.parametrize(
    "line",
    [
        'initial $display("// mutants: off all no comment");',
        "/* mutants: off all not this sort of comment */ assign z = 0;",
        "assign z = 0; // about mutants: off all",
    ],
)
def test_only_line_comments_that_begin_so_count(line: str) -> None:
    result = found(line + " assign y = !a;" if not line.endswith("all") else line)

    assert result.ignored == ()
    assert result.idle == ()


@pytest.mark.parametrize(
    ("comment", "message", "hint"),
    [
        (
            "// mutants: off logical",
            "top.sv:2: 'mutants: off logical' gives no reason",
            "write why behind it, for example: // mutants: off constant the default is never used",
        ),
        (
            "// mutants: off logcal because",
            "top.sv:2: 'mutants: off' names an unknown operator 'logcal'",
            "did you mean logical?",
        ),
        (
            "//mutants:off zzz because",
            "top.sv:2: 'mutants: off' names an unknown operator 'zzz'",
            "it is one of: arithmetic, ",
        ),
        (
            "// mutants: off",
            "top.sv:2: 'mutants: off' does not say which operator",
            "for example: ",
        ),
        (
            "// mutants: on all because",
            "top.sv:2: a comment that begins with 'mutants:' must go on with 'off', not 'on'",
            "for example: ",
        ),
    ],
)
def test_a_wrong_comment_is_an_error_at_its_place(comment: str, message: str, hint: str) -> None:
    with pytest.raises(SourceError) as error:
        found(f"assign y = !a; {comment}")

    assert error.value.message == message
    assert error.value.hint.startswith(hint)
