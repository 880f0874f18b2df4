# SPDX-License-Identifier: Apache-2.0
"""The mutants of a campaign: their order, their names, samples, and reasons for having none."""

from __future__ import annotations

from pathlib import Path

import pytest

from cocotb_mutants.errors import MutantsError, NoMutants, SourceError, UsageError
from cocotb_mutants.population import Population, populate
from tests.mutants.unit.fakelab import CONFIG, RTL, prepared, write_project

OFF = "a && b; // mutants: off logical it is the same"


def population(folder: Path, rtl: str = RTL, config: str = CONFIG, **more: object) -> Population:
    return prepared(write_project(folder, rtl, config), **more)[1]


def test_mutants_stand_in_the_order_of_the_source(tmp_path: Path) -> None:
    found = population(tmp_path, RTL.replace("a && b;", OFF))

    places = [mutant.edits[0].start for mutant in found.mutants.values()]
    assert places == sorted(places)
    assert len(found.ignored) == 3
    assert list(found.mutants)[:3] == list(found.ignored)
    assert {mutant.name for mutant in found.of(found.members[0])} == (
        found.mutants.keys() - found.ignored.keys()
    )


def test_a_sample_is_drawn_from_what_can_run_and_by_its_seed(tmp_path: Path) -> None:
    rtl = RTL.replace("a && b;", OFF).replace("assign z = a ^ b;", "assign z = (a ^ b) ^ (a | b);")
    whole = population(tmp_path, rtl)

    samples = [population(tmp_path, rtl, sample=2, sample_seed=seed) for seed in (0, 0, 1, 2, 3, 4)]

    assert {len(each.mutants) for each in samples} == {2}
    assert samples[0].mutants.keys() == samples[1].mutants.keys()
    assert len({frozenset(each.mutants) for each in samples}) > 1
    assert all(not each.mutants.keys() & whole.ignored.keys() for each in samples)
    assert samples[0].sampled_from == len(whole.mutants) - len(whole.ignored)


def test_a_sample_of_more_than_there_is_is_everything(tmp_path: Path) -> None:
    found = population(tmp_path, sample=1000)

    assert found.mutants.keys() == population(tmp_path).mutants.keys()
    assert found.sampled_from == 0


@pytest.mark.parametrize(
    ("rtl", "words"),
    [
        (RTL.replace("a && b", "a").replace("a ^ b", "b"), "there is no mutant in gate.sv"),
        (
            RTL.replace("a && b;", OFF).replace("a ^ b", "b"),
            "every mutant of gate.sv is switched off beside the code",
        ),
    ],
)
def test_nothing_to_run_is_an_error(tmp_path: Path, rtl: str, words: str) -> None:
    with pytest.raises(NoMutants) as raised:
        population(tmp_path, rtl)

    assert raised.value.message == words


def test_an_unknown_name_is_answered_with_the_nearest(tmp_path: Path) -> None:
    found = population(tmp_path)
    name = next(iter(found.mutants))

    assert found.find(name) == found.mutants[name]
    with pytest.raises(UsageError) as near:
        found.find(name[:-1] + "x")
    with pytest.raises(UsageError) as far:
        found.find("nothing like it")
    assert name in near.value.hint
    assert far.value.hint == "'cocotb-mutants list' shows their names"


@pytest.mark.parametrize(
    ("rtl", "words", "hint"),
    [
        (RTL.replace("a ^ b", "a ^ q"), "gate.sv:3: ", "target gate: 1 sources, top gate"),
        (
            RTL.replace("a ^ b", "a ^ q").replace("a && b", "a && r"),
            "(and 1 more)",
            "target gate",
        ),
    ],
)
def test_a_source_that_is_wrong_is_named(tmp_path: Path, rtl: str, words: str, hint: str) -> None:
    with pytest.raises(SourceError) as raised:
        population(tmp_path, rtl)

    assert words in raised.value.message
    assert hint in raised.value.hint


def test_a_source_that_cannot_be_read_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_project(tmp_path)

    def denied(_: Path) -> bytes:
        raise PermissionError(13, "Permission denied", str(tmp_path / "gate.sv"))

    config, _ = prepared(tmp_path)
    monkeypatch.setattr(Path, "read_bytes", denied)
    with pytest.raises(SourceError, match=r"cannot read .*gate\.sv: Permission denied"):
        populate(config)


def test_judgements_without_a_mutant_are_idle_unless_operators_were_left_out(
    tmp_path: Path,
) -> None:
    (tmp_path / "accepted.toml").write_text(
        '[[accepted]]\nmutants = ["gate.z.*", "gone"]\nreason = "why"\n'
    )
    config = CONFIG.replace('operators = ["logical", "bitwise"]\n', "")

    everything = population(tmp_path, config=config, accepted=["accepted.toml"])
    chosen = population(tmp_path, accepted=["accepted.toml"])

    assert everything.idle == (("accepted.toml", "gone"),)
    assert chosen.idle == ()
    assert {name.rpartition(".")[0] for name in chosen.accepted} == {"gate.z"}


def test_an_unknown_operator_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(MutantsError, match="arithmetics"):
        population(tmp_path, operators=["arithmetics"])
