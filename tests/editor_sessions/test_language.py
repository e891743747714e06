"""Names, completion, symbols, tokens, layout, quick fixes."""

import pytest
from lsprotocol import types

from conftest import MUTEX

pytestmark = pytest.mark.settings(check="demand")


def at(editor, name, wanted):
    return {"text_document": editor.document(name), "position": editor.place(name, wanted)}


async def test_definition_references_and_highlights(editor):
    editor.write("part.h", "byte shared;\n")
    editor.open("m.pml", '#include "part.h"\n' + MUTEX + "active proctype Z() { shared = 1 }\n")
    found = await editor.client.text_document_definition_async(
        types.DefinitionParams(**at(editor, "m.pml", "inside--"))
    )
    assert found.range == editor.range("m.pml", "inside")
    found = await editor.client.text_document_definition_async(
        types.DefinitionParams(**at(editor, "m.pml", "shared = 1"))
    )
    assert found.uri == editor.uri("part.h") and found.range.start == types.Position(0, 5)
    found = await editor.client.text_document_definition_async(
        types.DefinitionParams(**at(editor, "m.pml", "again\n}"))
    )
    assert found.range == editor.range("m.pml", "again")
    params = types.ReferenceParams(
        context=types.ReferenceContext(include_declaration=True), **at(editor, "m.pml", "inside--")
    )
    assert len(await editor.client.text_document_references_async(params)) == MUTEX.count("inside")
    params = types.DocumentHighlightParams(**at(editor, "m.pml", "inside--"))
    found = await editor.client.text_document_document_highlight_async(params)
    assert {h.kind for h in found} >= {types.DocumentHighlightKind.Read, types.DocumentHighlightKind.Write}


async def test_rename_reaches_included_files_and_refuses_names_that_are_taken(editor):
    editor.write("part.h", "byte shared;\n")
    editor.open("m.pml", '#include "part.h"\nbyte other;\nactive proctype Z() { shared = 1; shared++; other = 1 }\n')
    prepared = await editor.client.text_document_prepare_rename_async(
        types.PrepareRenameParams(**at(editor, "m.pml", "shared = 1"))
    )
    assert prepared
    params = types.RenameParams(new_name="common", **at(editor, "m.pml", "shared = 1"))
    edit = await editor.client.text_document_rename_async(params)
    assert {uri: len(edits) for uri, edits in edit.changes.items()} == {
        editor.uri("m.pml"): 2,
        editor.uri("part.h"): 1,
    }
    for taken in ("other", "do", "1x"):
        params = types.RenameParams(new_name=taken, **at(editor, "m.pml", "shared = 1"))
        with pytest.raises(Exception, match="other|do|1x"):
            await editor.client.text_document_rename_async(params)


COMPLETIONS = {
    "names in scope": ("byte outer; active proctype P() { byte inner; $0 }\nactive proctype Q() { byte far; far = 1 }",
                       {"outer", "inner", "do", "atomic"}, {"far"}),
    "labels": ("active proctype P() { here: goto $0 }\nactive proctype Q() { there: goto there }", {"here"}, {"there"}),
    "labels of others": ("active proctype P() { here: skip }\nltl p { [] !(P@$0) }", {"here"}, {"do"}),
    "fields": ("typedef T { byte left; bool right }; T t; active proctype P() { t.$0 }", {"left", "right"}, {"t"}),
    "messages": ("mtype = { ask, tell }; chan c = [1] of { mtype, byte }; byte x; active proctype P() { c!$0 }",
                 {"mtype, byte", "ask", "tell", "x"}, {"do"}),
    "the rest of a message": ("mtype = { ask }; chan c = [1] of { mtype, byte }; byte x; active proctype P() { c!ask, $0 }",
                              {"byte", "x"}, {"ask"}),
    "processes": ("proctype W(byte n) { skip } init { run $0 }", {"W"}, {"do"}),
}


@pytest.mark.parametrize("kind", COMPLETIONS)
async def test_completion(editor, kind):
    text, wanted, unwanted = COMPLETIONS[kind]
    cursor = editor.open("m.pml", text)
    labels = set(await editor.labels("m.pml", cursor))
    assert wanted <= labels and not unwanted & labels, labels


async def test_completion_right_after_a_keystroke(editor):
    editor.open("m.pml", "byte total;\nactive proctype P() {  }\n")
    editor.replace("m.pml", "{  }", "{ tot }")
    end = editor.place("m.pml", " }\n")
    assert "total" in await editor.labels("m.pml", end)


async def snippet(editor, cursor, label):
    params = types.CompletionParams(text_document=editor.document("m.pml"), position=cursor)
    items = await editor.client.text_document_completion_async(params)
    [item] = [item for item in items if item.label == label]
    return item.insert_text


async def test_snippets(editor):
    cursor = editor.open("m.pml", "inline put(a, b) { skip }\nactive proctype P() { $0 }\n")
    assert await snippet(editor, cursor, "put") == "put(${1:a}, ${2:b})$0"
    assert "$" in await snippet(editor, cursor, "do")


@pytest.mark.no_snippets
async def test_no_snippets_for_editors_without_them(editor):
    cursor = editor.open("m.pml", "inline put(a, b) { skip }\nactive proctype P() { $0 }\n")
    assert await snippet(editor, cursor, "put") is None


@pytest.mark.parametrize("call", ["run W(1, $0)", "put(1, $0)"])
async def test_signature_help(editor, call):
    text = f"inline put(a, b) {{ skip }}\nproctype W(byte a; byte b) {{ skip }}\ninit {{ {call} }}\n"
    cursor = editor.open("m.pml", text)
    params = types.SignatureHelpParams(text_document=editor.document("m.pml"), position=cursor)
    found = await editor.client.text_document_signature_help_async(params)
    assert found.signatures[0].label.startswith(("W(byte a, byte b", "put(a, b"))
    assert found.active_parameter == 1


async def test_symbols(editor):
    editor.open("m.pml", MUTEX)
    params = types.DocumentSymbolParams(text_document=editor.document("m.pml"))
    symbols = await editor.client.text_document_document_symbol_async(params)
    assert {"N", "inside", "flag", "enter", "P", "exclusive"} <= {s.name for s in symbols}
    [process] = [s for s in symbols if s.name == "P"]
    assert "again" in {s.name for s in process.children}
    editor.open("other.pml", "byte insight; active proctype P() { insight = 1 }\n")
    found = await editor.client.workspace_symbol_async(types.WorkspaceSymbolParams(query="insi"))
    assert {s.name for s in found} == {"inside", "insight"}


async def test_tokens_have_modifiers(editor):
    editor.open("m.pml", MUTEX.replace("again:", "    byte own;\nagain:"))
    found = await editor.tokens("m.pml")
    declared = {text: mods for line, text, _, mods in found if "declaration" in mods}
    assert {"shared", "visible"} <= declared["inside"] and not {"shared", "visible"} & declared["own"]
    assert "shared" in declared["flag"] and "visible" not in declared["flag"]
    kinds = {text: kind for _, text, kind, _ in found}
    assert (kinds["P"], kinds["enter"], kinds["proctype"]) == ("class", "function", "keyword")
    assert any(text == "_pid" and "defaultLibrary" in mods for _, text, _, mods in found)
    assert any(text == "inside" and "modification" in mods for _, text, _, mods in found)
    # Every cycle of the process goes through a sticky statement.
    sticky = [(line, text) for line, text, _, mods in found if "sticky" in mods]
    assert sticky and all(line > editor.place("m.pml", "again:").line or line == 4 for line, _ in sticky), sticky
    whole = await editor.client.text_document_semantic_tokens_range_async(
        types.SemanticTokensRangeParams(
            text_document=editor.document("m.pml"), range=types.Range(types.Position(1, 0), types.Position(1, 99))
        )
    )
    assert len(whole.data) // 5 == len([t for t in found if t[0] == 1])


async def test_folding_selection_and_links(editor):
    editor.write("part.h", "byte shared;\n")
    editor.open("m.pml", '#include "part.h"\n#include "missing.h"\n' + MUTEX)
    params = types.FoldingRangeParams(text_document=editor.document("m.pml"))
    folds = await editor.client.text_document_folding_range_async(params)
    start = editor.place("m.pml", "active").line
    assert any(f.start_line == start for f in folds), folds
    params = types.SelectionRangeParams(
        text_document=editor.document("m.pml"), positions=[editor.place("m.pml", "inside--")]
    )
    [selection] = await editor.client.text_document_selection_range_async(params)
    sizes = []
    while selection:
        sizes.append((selection.range.start.line, selection.range.end.line))
        selection = selection.parent
    assert len(sizes) >= 3 and sizes[-1][0] <= start, sizes
    params = types.DocumentLinkParams(text_document=editor.document("m.pml"))
    links = await editor.client.text_document_document_link_async(params)
    assert [link.target for link in links if link.target] == [editor.uri("part.h")]


async def test_formatting_keeps_comments_and_is_idempotent(editor):
    editor.open("m.pml", "byte x; // one\nactive proctype P(){do::x<3->x++/* two */::else->break od}\n")
    params = types.DocumentFormattingParams(
        text_document=editor.document("m.pml"), options=types.FormattingOptions(tab_size=4, insert_spaces=True)
    )
    [edit] = await editor.client.text_document_formatting_async(params)
    assert "// one" in edit.new_text and "/* two */" in edit.new_text and edit.new_text != editor.texts["m.pml"]
    editor.open("again.pml", edit.new_text)
    params.text_document = editor.document("again.pml")
    assert not await editor.client.text_document_formatting_async(params)


async def test_quick_fixes(editor):
    editor.open("m.pml", "byte counter;\nactive proctype P() { countre = 1 }\n")
    [wrong] = await editor.problems("m.pml", "undeclared")
    params = types.CodeActionParams(
        text_document=editor.document("m.pml"), range=wrong.range, context=types.CodeActionContext(diagnostics=[wrong])
    )
    actions = await editor.client.text_document_code_action_async(params)
    edits = [edit for action in actions for edit in action.edit.changes[editor.uri("m.pml")]]
    assert "counter" in [edit.new_text for edit in edits], actions
    assert all(action.kind == types.CodeActionKind.QuickFix for action in actions)
