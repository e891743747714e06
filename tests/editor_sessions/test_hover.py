"""Hover: statements, variables and channels, properties."""

import pytest

from conftest import MUTEX


async def test_a_statement(editor):
    editor.open("m.pml", MUTEX)
    await editor.verdict("m.pml", "exclusive")
    text = await editor.hover("m.pml", editor.place("m.pml", "assert(inside"))
    assert "**reads**: inside" in text and "**writes**: P[_pid]'s location" in text
    # With whom it does not accord, through what, as a link.
    assert "does not accord with" in text and "inside, which this reads and the other" in text
    assert f"({editor.uri('m.pml')}#L11)" in text, text
    assert "`exclusive`" not in text and "assertions" in text.split("**seen by**")[1].split("\n")[0]
    assert "**executed**: " in text and "stored states" in text
    increment = await editor.hover("m.pml", editor.place("m.pml", "inside--"))
    assert "`exclusive`" in increment.split("**seen by**")[1].split("\n")[0], increment


async def test_what_enables_and_disables_and_the_cycle_of_a_sticky_statement(editor):
    editor.open(
        "m.pml",
        "bool go;\nactive proctype P() {\n  do\n  :: go -> go = false\n  od\n}\n"
        "active proctype Q() {\n  do\n  :: !go -> go = true\n  od\n}\n",
    )
    await editor.told("m.pml")
    text = await editor.hover("m.pml", editor.place("m.pml", "go -> go = false"))
    assert "**if**: `go`" in text and "enabled by [Q 9]" in text, text
    assert "disabled by [P 4]" in text, text
    hovers = [await editor.hover("m.pml", editor.place("m.pml", s)) for s in ("go = true", "!go ->", "go = false")]
    sticky = [h for h in hovers if "**sticky**: yes" in h]
    assert sticky, hovers
    assert all("**in the cycle**: [" in h and " → [" in h for h in sticky), sticky


async def test_a_variable_and_a_channel(editor):
    editor.open(
        "m.pml",
        "byte x = 3; /* a number */\nchan c = [4] of { byte };\n"
        "active proctype P() { x = 5; c!x; c!x }\nactive proctype Q() { byte y; len(c) == 2; c?y }\n",
    )
    await editor.verdict("m.pml", "deadlock")
    text = await editor.hover("m.pml", editor.place("m.pml", "x = 3"))
    for part in ("byte x = 3", "a number", "**read**", "**written**: [line 3]", "**seen**: 3 to 5 (in the states that reduction left)"):
        assert part in text, text
    text = await editor.hover("m.pml", editor.place("m.pml", "c = [4]"))
    for part in ("chan c = [4] of { byte }", "**sent to**", "**received from**", "at most 2 of 4 messages"):
        assert part in text, text


async def test_a_property(editor):
    editor.open("m.pml", MUTEX + "ltl next { X (inside == 0) }\n")
    await editor.verdict("m.pml", "next")
    text = await editor.hover("m.pml", editor.place("m.pml", "[] (inside <= 1)"))
    for part in ("**automaton**: ", "states", "**stutter-invariant**: yes", "**verdict**: ", "**reduction**: "):
        assert part in text, text
    text = await editor.hover("m.pml", editor.place("m.pml", "next { X"))
    assert "**stutter-invariant**: no, so no reduction can be used" in text, text


@pytest.mark.settings(check="demand")
async def test_a_place_that_is_about_to_be_read(editor):
    editor.open("m.pml", MUTEX)
    # Sent at once after a change above it; links lead to where things are now.
    editor.replace("m.pml", "#define", "/* one more line */\n#define")
    text = await editor.hover("m.pml", editor.place("m.pml", "inside = 0"))
    assert f"({editor.uri('m.pml')}#L6)" in text, text
