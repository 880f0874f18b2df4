# SPDX-License-Identifier: Apache-2.0
"""Terms: simplified, computed in numpy, and given to the solver, they mean the same."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from cocotb_mutants.proofs.simulate import Evaluator
from cocotb_mutants.proofs.solver import Solver
from cocotb_mutants.proofs.terms import DIVISIONS, Term, Terms, evaluate

LEAVES = {"a": 8, "b": 8, "c": 1, "d": 3, "wide": 70}
Tree = tuple[Any, ...]


def width(tree: Tree) -> int:
    return int(tree[1])


@st.composite
def trees(draw: st.DrawFn, depth: int = 4) -> Tree:
    """An operation: its name, width, arguments and value."""
    kinds = (
        ["leaf", "const"] if depth == 0 else ["two", "two", "test", "ite", "slice", "more", "leaf"]
    )
    kind = draw(st.sampled_from(kinds))
    if kind == "leaf":
        name = draw(st.sampled_from(sorted(LEAVES)))
        return ("input", LEAVES[name], (), name)
    if kind == "const":
        size = draw(st.sampled_from(sorted(set(LEAVES.values()))))
        edge = st.sampled_from([0, 1, (1 << size) - 1])
        return ("const", size, (), draw(edge | st.integers(0, (1 << size) - 1)))
    one = draw(trees(depth - 1))
    if kind == "slice":
        low = draw(st.integers(0, width(one) - 1))
        high = draw(st.integers(low, width(one) - 1))
        return ("slice", high - low + 1, (one,), (high, low))
    if kind == "more":
        op = draw(st.sampled_from(["not", "sext", "redxor", "concat", "shl", "lshr", "ashr"]))
        if op in ("not", "redxor"):
            return (op, 1 if op == "redxor" else width(one), (one,), None)
        if op == "sext":
            return (op, width(one) + draw(st.integers(1, 3)), (one,), None)
        other = draw(trees(depth - 1))
        return (op, width(one) + width(other) if op == "concat" else width(one), (one, other), None)
    other = fitted(draw(trees(depth - 1)), width(one))
    if kind == "two":
        ops = ["and", "or", "xor", "add", "sub", "mul", *DIVISIONS]
        return (draw(st.sampled_from(ops)), width(one), (one, other), None)
    if kind == "test":
        return (draw(st.sampled_from(["eq", "ult", "slt"])), 1, (one, other), None)
    chosen = fitted(draw(trees(depth - 1)), 1)
    return ("ite", width(one), (chosen, one, other), None)


def fitted(tree: Tree, size: int) -> Tree:
    """The tree with another width."""
    if width(tree) == size:
        return tree
    if width(tree) > size:
        return ("slice", size, (tree,), (size - 1, 0))
    return ("sext", size, (tree,), None)


def made(terms: Terms, tree: Tree) -> int:
    op, size, args, value = tree
    if op == "const":
        return terms.const(size, value)
    if op == "input":
        return terms.leaf("input", size, value)
    return terms.make(op, size, [made(terms, each) for each in args], value)


def meant(tree: Tree, inputs: dict[str, int]) -> int:
    """The value of a tree, nothing in it simplified."""
    op, size, args, value = tree
    if op == "const":
        return int(value)
    if op == "input":
        return inputs[value]
    numbers = [meant(each, inputs) for each in args]
    return evaluate(Term(op, size, (), value), [width(each) for each in args], numbers)


values = st.fixed_dictionaries(
    {name: st.integers(0, (1 << size) - 1) for name, size in LEAVES.items()}
)


@settings(max_examples=300, deadline=None)
@given(trees(), st.lists(values, min_size=1, max_size=3))
def test_a_simplified_term_means_what_was_written(
    tree: Tree, several: list[dict[str, int]]
) -> None:
    terms = Terms()
    root = made(terms, tree)
    leaves = {name: terms.leaf("input", size, name) for name, size in LEAVES.items()}
    wanted = [meant(tree, inputs) for inputs in several]

    for inputs, value in zip(several, wanted, strict=True):
        by = {leaf: terms.const(LEAVES[name], inputs[name]) for name, leaf in leaves.items()}
        (found,) = terms.replaced([root], by)
        assert terms.constant(found) == value

    arrays = {
        leaf: np.array(
            [inputs[name] for inputs in several], dtype=object if LEAVES[name] > 64 else np.uint64
        )
        for name, leaf in leaves.items()
    }
    assert Evaluator(terms, [root]).run(arrays, len(several))[root].tolist() == wanted


@settings(max_examples=120, deadline=None)
@given(trees(depth=3), values)
def test_the_solver_agrees(tree: Tree, inputs: dict[str, int]) -> None:
    terms = Terms()
    root = made(terms, tree)
    given = [
        terms.make("eq", 1, (terms.leaf("input", size, name), terms.const(size, inputs[name])))
        for name, size in LEAVES.items()
    ]
    solver = Solver(terms, seconds=20)

    assert solver.can_be(given) is True
    assert solver.value(root) == meant(tree, inputs)
    wrong = terms.differ(root, terms.const(width(tree), meant(tree, inputs)))
    assert solver.can_be([*given, wrong]) is False


def test_abstract_products_are_equal_where_their_arguments_are() -> None:
    terms = Terms()
    a, b = terms.leaf("input", 32, "a"), terms.leaf("input", 32, "b")
    product, quotient = terms.make("mul", 32, (a, b)), terms.make("udiv", 32, (a, b))
    solver = Solver(terms, seconds=20, abstract=True)

    same = terms.make("add", 32, (product, quotient))
    again = terms.make("add", 32, (quotient, terms.make("mul", 32, (b, a))))
    assert solver.can_be([terms.differ(same, again)]) is False
    # Nothing is known of what they are, so that this is no proof of anything.
    assert solver.can_be([terms.differ(product, terms.const(32, 0))]) is True


def test_a_division_by_zero_is_anything_but_the_same_for_the_same_operands() -> None:
    terms = Terms()
    a = terms.leaf("input", 8, "a")
    zero = terms.const(8, 0)
    one, two = terms.make("fresh", 8, (a, zero), "udiv"), terms.make("fresh", 8, (a, a), "udiv")
    solver = Solver(terms, seconds=20)

    assert solver.can_be([terms.differ(one, two)]) is True
    assert terms.make("fresh", 8, (a, zero), "udiv") == one
    (replaced,) = terms.replaced([two], {a: zero})
    assert terms[replaced] == Term("fresh", 8, (zero, zero), "udiv")
