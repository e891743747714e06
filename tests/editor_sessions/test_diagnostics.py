"""What is wrong, where it is wrong."""

import pytest
from lsprotocol import types

from conftest import ENDLESS, MUTEX

ERROR = types.DiagnosticSeverity.Error


@pytest.mark.settings(check="demand")
async def test_several_errors_are_told_as_one_types_and_go_away(editor):
    editor.open("m.pml", "byte x;\nactive proctype P() { x = ; y = 1 }\nactive proctype Q() { z = 2 }\n")
    errors = [d for d in await editor.told("m.pml") if d.severity == ERROR]
    assert len({d.range.start.line for d in errors}) == 2, errors
    editor.replace("m.pml", "x = ; y", "x = 3; x")
    editor.replace("m.pml", "z = 2", "x = 2")
    assert not [d for d in await editor.told("m.pml") if d.severity == ERROR]


async def test_a_violation_has_its_trail(editor):
    editor.open("m.pml", MUTEX)
    [wrong] = await editor.problems("m.pml", "assertion")
    assert wrong.range.start == editor.place("m.pml", "assert(inside")
    assert wrong.severity == ERROR and "inside == 1" in wrong.message
    assert len(wrong.related_information) >= 5
    assert any("inside: 0 → 1" in step.message for step in wrong.related_information)
    [claim] = await editor.problems("m.pml", "ltl")
    assert claim.range.start.line == editor.place("m.pml", "ltl exclusive").line


async def test_a_long_trail_is_cut_and_the_rest_pointed_to(editor):
    editor.open("m.pml", "byte x;\nactive proctype P() { do :: x < 120 -> x++ :: x == 120 -> assert(false) od }\n")
    [wrong] = await editor.problems("m.pml", "assertion")
    assert len(wrong.related_information) == 51
    assert "full trail" in wrong.related_information[0].message


async def test_a_deadlock_is_told_of_each_process(editor):
    editor.open(
        "m.pml", "chan c = [0] of { byte };\nbyte x;\nactive proctype P() { c!1 }\nactive proctype Q() { x == 3 }\n"
    )
    blocked = await editor.problems("m.pml", "deadlock")
    assert sorted(d.range.start.line for d in blocked) == [2, 3]
    assert "c!1" in blocked[0].message and "x = 0" in blocked[1].message, blocked
    # Still known, elsewhere.
    editor.replace("m.pml", "byte x", "/* one\nmore */\nbyte x")
    moved = [d for d in await editor.told("m.pml") if d.code == "deadlock"]
    assert [(d.range.start.line, d.message) for d in moved] == [(d.range.start.line + 2, d.message) for d in blocked]


WARNINGS = {
    "unused-variable": "byte $x;\nactive proctype P() { skip }\n",
    "unused-label": "active proctype P() { skip; $here: skip }\n",
    "channel-never-read": "chan $c = [1] of { byte };\nactive proctype P() { c!1 }\n",
    "never-executed": "byte x;\nactive proctype P() { if :: x == 1 -> $x = 2 :: x == 0 -> skip fi }\n",
    "else-never-taken": "byte x;\nactive proctype P() { if :: x == 0 -> skip :: $else -> skip fi }\n",
    "assertion-never-reached": "byte x;\nactive proctype P() { if :: x == 1 -> $assert(false) :: x == 0 fi }\n",
}


@pytest.mark.parametrize("code", WARNINGS)
async def test_warnings(editor, code):
    before, after = WARNINGS[code].split("$")
    editor.open("m.pml", before + "$0" + after)
    await editor.verdict("m.pml", "deadlock")
    found = await editor.problems("m.pml", code)
    assert editor.position("m.pml", len(before)) in [d.range.start for d in found], found
    assert all(d.severity != ERROR for d in found)


async def test_nothing_is_called_unreachable_before_a_search_is_complete(editor):
    editor.open("m.pml", ENDLESS.replace("c++ ;", "c++ ; if :: c == 1 && a < -9 && a > -7 -> a = 1 :: else fi;"))
    await editor.until("a check", lambda: editor.client.progress_reports)
    assert not [d for d in await editor.told("m.pml") if d.code == "never-executed"]


@pytest.mark.settings(time=1)
async def test_a_model_that_is_too_large_is_told_with_what_to_do(editor):
    editor.open("m.pml", ENDLESS)
    told = await editor.problems("m.pml", "incomplete")
    assert any("deadlock is not decided" in d.message and "`time`" in d.message for d in told), told
    # The server lives on.
    editor.open("small.pml", MUTEX)
    assert await editor.verdict("small.pml", "assertions") == "violated"


@pytest.mark.settings(memory=4)
async def test_memory_is_bounded(editor):
    editor.open("m.pml", ENDLESS)
    told = await editor.problems("m.pml", "incomplete")
    assert any("`memory`" in d.message for d in told), told
