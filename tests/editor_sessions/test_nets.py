"""Petri nets: hover on transitions and places, dead markings, trails by tokens, markings beside places, pictures."""

import pathlib
import xml.dom.minidom

import pytest
from lsprotocol import types

from conftest import plain

MODELS = pathlib.Path(__file__).parents[1] / "models" / "pnml"
NAME = "model.pnml"

HELENA = """\
doors {
   type who : range 1 .. 2;
   place outside { dom : who; init : for(p in who) <( p )>; }
   place inside { dom : who; }
   place keys { dom : epsilon; init : epsilon; }
   transition enter {
      in { outside : <( p )>; keys : epsilon; }
      out { inside : <( p )>; }
   }
}
"""


@pytest.fixture
def net(editor):
    folder = MODELS / "philosophers"
    for file in folder.iterdir():
        if file.name != NAME:
            editor.write(file.name, file.read_text())
    text = (folder / NAME).read_text()
    editor.write(NAME, text)
    editor.open(NAME, text)
    return editor


def named(editor, name):
    position = editor.place(NAME, f"id=\"{name}\"")
    return types.Position(position.line, position.character + len("id=\"") + 1)


async def test_a_transition_is_told_of_once(net):
    assert await net.verdict(NAME, "one-eats") == "holds"
    text = await net.hover(NAME, named(net, "take_left"))
    assert text.count("**firings**") == 1 and "3 bindings: `take_left(x=1)`" in text, text
    for part in (
        "**takes from**: [`fork`](",
        "filled by [`release`](",
        "**puts to**: [`hungry`](",
        "- [`take_right`](",
        "through [`fork`](",
        "**sticky**: ",
        "**seen by**: ",
        "**fired**: ",
    ):
        assert part in text, (part, text)
    assert "process" not in text and "statement" not in text, text
    seen = await net.hover(NAME, named(net, "take_right"))
    assert "`one-eats`" in seen.split("**seen by**")[1].split("\n")[0], seen
    # The same where an arc mentions it, and at its id.
    mention = net.place(NAME, 'target="take_left"')
    mention.character += len('target="')
    assert "**takes from**" in await net.hover(NAME, mention)


async def test_a_place(net):
    await net.verdict(NAME, "one-eats")
    text = await net.hover(NAME, named(net, "fork"))
    for part in (
        "**bound**: at most 3 tokens, proved",
        "**seen**: at most 3",
        "**possible tokens**: 3: `fork(1)`",
        "**initially**: `{1, 2, 3}`",
        "**filled by**: [`release`](",
        "**emptied by**: [`take_left`](",
    ):
        assert part in text, (part, text)


async def test_a_dead_marking_and_what_never_happens(net):
    deadlock = await net.problems(NAME, "deadlock")
    assert deadlock[0].range.start.line == named(net, "take_right").line
    assert "dead marking: fork(2) is missing for take_right(x=1)" in deadlock[0].message
    steps = [related.message for related in deadlock[0].related_information]
    assert steps[0] == "1 take_left(x=1)  [-fork(1) -idle(1) +hungry(1)]", steps
    idle = await net.problems(NAME, "never-fired")
    assert [(d.message, d.range.start.line) for d in idle] == [
        ("no run fires this transition", named(net, "wake").line)
    ]
    empty = await net.problems(NAME, "never-marked")
    assert [d.range.start.line for d in empty] == [named(net, "asleep").line]


async def test_a_trail_by_tokens_and_markings_beside_places(net):
    assert await net.verdict(NAME, "deadlock") == "violated"
    uri = net.uri(NAME)
    trail = plain(await net.command("stubborn.trail", uri, "deadlock"))
    first = plain(trail["steps"][0])
    assert (first["text"], first["transition"]) == ("take_left(x=1)", "take_left")
    assert first["changes"] == "-fork(1) -idle(1) +hungry(1)"
    assert trail["reason"] == "dead marking"
    await net.command("stubborn.step", uri, "deadlock", 1)
    everything = types.Range(types.Position(0, 0), types.Position(999, 0))
    params = types.InlayHintParams(text_document=net.document(NAME), range=everything)
    hints = {hint.position.line: hint.label for hint in await net.client.text_document_inlay_hint_async(params)}
    assert hints[named(net, "fork").line].strip() == "{3}", hints
    assert hints[named(net, "hungry").line].strip() == "{1, 2}", hints
    assert "step 2 of 3: -fork(2) -idle(2) +hungry(2)" in hints[named(net, "take_left").line], hints


async def test_the_picture_follows_the_step(net):
    await net.verdict(NAME, "deadlock")
    uri = net.uri(NAME)
    begin = await net.command("stubborn.net", uri)
    assert "transition enabled" in begin and "transition fired" not in begin
    await net.command("stubborn.step", uri, "deadlock", 0)
    at = await net.command("stubborn.net", uri)
    assert "step 1 of 3: take_left(x=1)" in at and "transition fired" in at
    assert await net.command("stubborn.net", uri, "deadlock", 0) == at
    for svg in (begin, at):
        xml.dom.minidom.parseString(svg)
    net.open("m.pml", "active proctype P() { skip }\n")
    await net.told("m.pml")
    with pytest.raises(Exception, match="no Petri net"):
        await net.command("stubborn.net", net.uri("m.pml"))


async def test_the_same_in_helena(editor):
    editor.open("doors.lna", HELENA)
    deadlock = await editor.problems("doors.lna", "deadlock")
    assert "dead marking: keys is missing for enter(p=2)" in deadlock[0].message, deadlock[0].message
    text = await editor.hover("doors.lna", editor.place("doors.lna", "enter {"))
    for part in ("2 bindings: `enter(p=1)`", "**takes from**: [`keys`](", "itself, with another binding: through [`keys`]("):
        assert part in text, (part, text)
    text = await editor.hover("doors.lna", editor.place("doors.lna", "inside {"))
    assert "**possible tokens**: 2" in text and "**filled by**: [`enter`](" in text, text
    await editor.command("stubborn.step", editor.uri("doors.lna"), "deadlock", 0)
    svg = await editor.command("stubborn.net", editor.uri("doors.lna"))
    assert "enter(p=1)" in svg
