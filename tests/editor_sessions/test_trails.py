"""Trails over plain LSP: shown, listed, stepped through; dependent statements."""

import pathlib
from urllib.parse import unquote, urlparse

import pytest
from lsprotocol import types

from conftest import MUTEX, plain


async def opened(editor):
    editor.open("m.pml", MUTEX)
    assert await editor.verdict("m.pml", "assertions") == "violated"
    return editor.uri("m.pml")


async def test_the_full_trail_is_a_file_with_links(editor):
    uri = await opened(editor)
    trail = plain(await editor.command("stubborn.showTrail", uri, "assertions"))
    shown = (await editor.until("a document", lambda: editor.client.shown_documents))[0]
    text = pathlib.Path(unquote(urlparse(shown.uri).path)).read_text()
    assert len(text.splitlines()) > len(trail["steps"])
    line = editor.place("m.pml", "assert(inside").line + 1
    assert f"m.pml:{line}:5" in text, text


@pytest.mark.trail_documents
async def test_the_full_trail_is_a_document_of_its_own(editor):
    uri = await opened(editor)
    await editor.command("stubborn.showTrail", uri, "assertions")
    shown = (await editor.until("a document", lambda: editor.client.shown_documents))[0]
    assert shown.uri.startswith("stubborn-trail:")
    text = await editor.client.protocol.send_request_async("stubborn/trailDocument", {"uri": shown.uri})
    assert "inside == 1" in text


async def test_steps_are_locations_and_can_be_walked(editor):
    uri = await opened(editor)
    steps = [plain(s) for s in plain(await editor.command("stubborn.trail", uri, "assertions"))["steps"]]
    lines = [plain(plain(plain(s["location"])["range"])["start"])["line"] for s in steps]
    assert lines[-1] == editor.place("m.pml", "assert(inside").line
    for number in range(len(steps)):
        step = plain(await editor.command("stubborn.step", uri, "assertions", "next"))
        assert (step["number"], step["text"]) == (number, steps[number]["text"])
    step = plain(await editor.command("stubborn.step", uri, "assertions", "previous"))
    assert step["number"] == len(steps) - 2
    step = plain(await editor.command("stubborn.step", uri, "assertions", 0))
    assert step["number"] == 0
    shown = await editor.until("the statement", lambda: editor.client.shown_documents)
    assert shown[0].uri == uri and shown[0].selection.start.line == lines[0]
    assert await editor.command("stubborn.step", uri, "assertions", "none") is None
    with pytest.raises(Exception, match="no trail"):
        await editor.command("stubborn.trail", uri, "deadlock")


async def test_values_at_the_selected_step(editor):
    uri = await opened(editor)
    everything = types.Range(types.Position(0, 0), types.Position(99, 0))
    params = types.InlayHintParams(text_document=editor.document("m.pml"), range=everything)
    assert not await editor.client.text_document_inlay_hint_async(params)
    await editor.command("stubborn.step", uri, "assertions", 1)
    hints = await editor.client.text_document_inlay_hint_async(params)
    assert any(h.label.startswith("◀ step 2 of ") for h in hints), hints
    inside = [h for h in hints if h.label.startswith(" = ") and h.position.line == 1]
    assert [h.label for h in inside] == [" = 1"]
    await editor.until("a refresh", lambda: types.WORKSPACE_INLAY_HINT_REFRESH in editor.client.refreshed)


async def test_dependent_statements(editor):
    uri = await opened(editor)
    position = editor.place("m.pml", "assert(inside")
    found = await editor.command("stubborn.dependents", uri, {"line": position.line, "character": position.character})
    lines = {plain(plain(plain(place)["range"])["start"])["line"] for place in found}
    assert editor.place("m.pml", "inside--").line in lines, found
