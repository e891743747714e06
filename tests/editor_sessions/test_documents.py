"""Texts: several files, includes, encodings, settings."""

import pytest
from lsprotocol import types

from conftest import MUTEX

MODEL = '#include "part.h"\nactive proctype P() { assert(x == 0) }\n'


async def test_an_unsaved_include_wins_over_the_file(editor):
    editor.write("part.h", "byte x;\n")
    editor.write("model.pml", MODEL)
    editor.open("model.pml")
    assert await editor.verdict("model.pml", "assertions") == "holds"
    editor.open("part.h", "byte x = 1;\n")
    assert await editor.verdict("model.pml", "assertions") == "violated"
    # What is on disk counts again.
    editor.close("part.h")
    await editor.until("the file counts", lambda: holds(editor))


async def holds(editor):
    return (await editor.status("model.pml"))["assertions"]["verdict"] == "holds"


async def test_a_change_in_an_include_checks_all_its_includers(editor):
    editor.write("part.h", "byte x;\n")
    editor.open("model.pml", MODEL)
    editor.open("other.pml", '#include "part.h"\nactive proctype Q() { assert(x < 5) }\n')
    editor.open("part.h")
    for name in ("model.pml", "other.pml"):
        assert await editor.verdict(name, "assertions") == "holds"
    editor.replace("part.h", "byte x", "byte x = 7")
    for name in ("model.pml", "other.pml"):
        assert await editor.verdict(name, "assertions") == "violated"
        assert await editor.problems(name, "assertion")
    # What is wrong in the part is told there.
    editor.replace("part.h", "= 7", "= ")
    errors = [d for d in await editor.told("part.h") if d.severity == types.DiagnosticSeverity.Error]
    assert errors


async def test_a_change_of_a_file_on_disk_is_heard_of(editor):
    editor.write("part.h", "byte x;\n")
    editor.open("model.pml", MODEL)
    assert await editor.verdict("model.pml", "assertions") == "holds"
    editor.write("part.h", "byte x = 2;\n")
    event = types.FileEvent(uri=editor.uri("part.h"), type=types.FileChangeType.Changed)
    editor.client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams(changes=[event]))
    await editor.until("a violation", lambda: violated(editor))


async def violated(editor):
    return (await editor.status("model.pml"))["assertions"]["verdict"] == "violated"


async def test_a_part_that_is_opened_alone_belongs_to_a_model_on_disk(editor):
    editor.write("part.h", "byte x = 1;\n")
    editor.write("model.pml", MODEL)
    cursor = editor.open("part.h", "byte $0x = 1;\n")
    hover = await editor.hover("part.h", cursor)
    assert "model.pml#L2" in hover, hover
    status = await editor.status("part.h")
    assert "assertions" in status
    assert await editor.verdict("part.h", "assertions") == "violated"
    # The failing statement is in a file that is not open.
    assert await editor.problems("model.pml", "assertion")
    editor.close("part.h")
    await editor.until("nothing is told of it any more", lambda: not editor.client.diagnostics[editor.uri("model.pml")])


async def test_a_part_of_nothing_is_told_to_be_one(editor):
    editor.open("lonely.h", "byte x = 1;\n")
    [note] = await editor.problems("lonely.h", "no-model")
    assert "includes this file" in note.message


@pytest.mark.parametrize("_", [pytest.param(e, marks=pytest.mark.encoding(e)) for e in ("utf-8", "utf-16")])
async def test_columns_are_counted_as_agreed(editor, _):
    cursor = editor.open("m.pml", 'byte x;\nactive proctype P() { printf("é𝄞"); $0x = 1; y = 2 }\n')
    [wrong] = await editor.problems("m.pml", "undeclared")
    assert wrong.range.start == editor.place("m.pml", "y = 2")
    editor.replace("m.pml", "𝄞", "𝄞𝄞")
    editor.replace("m.pml", "y = 2", "x = 3")
    assert not [d for d in await editor.told("m.pml") if d.severity == types.DiagnosticSeverity.Error]
    params = types.DefinitionParams(editor.document("m.pml"), editor.place("m.pml", "x = 3"))
    found = await editor.client.text_document_definition_async(params)
    assert found.range == editor.range("m.pml", "x")
    text = await editor.client.protocol.send_request_async("stubborn/text", {"uri": editor.uri("m.pml")})
    assert text == editor.texts["m.pml"]


@pytest.mark.settings(defines=["LIMIT=0"], skip=["exclusive"])
async def test_settings_of_the_editor(editor):
    editor.open("m.pml", "byte x;\nactive proctype P() { x = 1; assert(x <= LIMIT) }\nltl exclusive { [] (x < 9) }\n")
    assert await editor.verdict("m.pml", "assertions") == "violated"
    assert (await editor.status("m.pml"))["exclusive"]["status"] == "unknown"
    editor.client.set_configuration({"defines": ["LIMIT=1"]}, section="stubborn")
    params = types.DidChangeConfigurationParams(settings=None)
    editor.client.workspace_did_change_configuration(params)

    async def follows():
        entries = await editor.status("m.pml")
        return entries["assertions"]["verdict"] == "holds" and entries["exclusive"]["verdict"] == "holds"

    await editor.until("the new settings", follows)


@pytest.mark.settings(reduction="nonsense")
async def test_what_is_wrong_with_settings_is_told(editor):
    await editor.until("a message", lambda: [m for m in editor.client.messages if "reduction" in m.message])


@pytest.mark.files(stubborn__toml='check = "demand"\ndefines = ["LIMIT=0"]\nreduction = "none"\n')
@pytest.mark.settings(check="save", defines=["LIMIT=9"])
async def test_the_file_of_a_workspace_goes_before_the_editor(editor):
    editor.open("m.pml", "byte x;\nactive proctype P() { x = 1; assert(x <= LIMIT) }\n")
    assert (await editor.status("m.pml"))["assertions"]["status"] == "unknown"
    await editor.command("stubborn.check", editor.uri("m.pml"))
    assert await editor.verdict("m.pml", "assertions") == "violated"
    assert "none" in await editor.command("stubborn.explain", editor.uri("m.pml"), "deadlock")
    editor.write("stubborn.toml", 'check = "demand"\ndefines = ["LIMIT=1"]\n')
    event = types.FileEvent(uri=editor.uri("stubborn.toml"), type=types.FileChangeType.Changed)
    editor.client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams(changes=[event]))

    async def is_stale():
        return (await editor.status("m.pml"))["assertions"]["status"] == "stale"

    await editor.until("another model", is_stale)


async def test_folders_come_and_go(editor, tmp_path):
    other = tmp_path / "other"
    other.mkdir()
    (other / "stubborn.toml").write_text('skip = ["assertions"]\n')
    folder = types.WorkspaceFolder(uri=other.as_uri(), name="other")
    change = types.WorkspaceFoldersChangeEvent(added=[folder], removed=[])
    editor.client.workspace_did_change_workspace_folders(types.DidChangeWorkspaceFoldersParams(event=change))
    editor.open("m.pml", MUTEX)
    assert await editor.verdict("m.pml", "deadlock") == "holds"
    assert (await editor.status("m.pml"))["assertions"]["status"] == "unknown"
    change = types.WorkspaceFoldersChangeEvent(added=[], removed=[folder])
    editor.client.workspace_did_change_workspace_folders(types.DidChangeWorkspaceFoldersParams(event=change))
    editor.save("m.pml")
    assert await editor.verdict("m.pml", "assertions") == "violated"
