"""DVE: a deadlock, an assertion, a process that watches; names, words, layout, quick fixes."""

import pytest
from lsprotocol import types

from conftest import MODELS

LOCKS = (MODELS / "dve/two_locks.dve").read_text()
ORDER = (MODELS / "dve/lost_order.dve").read_text()


async def test_a_deadlock_is_told_of_each_process_with_its_trail(editor):
    editor.open("m.dve", LOCKS)
    assert await editor.verdicts("m.dve") == {"deadlock": "violated", "assertions": "holds"}
    told = await editor.problems("m.dve", "deadlock")
    assert [(d.message.split("(")[0], len(d.related_information)) for d in told] == [
        ("deadlock after 2 steps: Anna", 2),
        ("deadlock after 2 steps: Bruno", 2),
    ]
    assert "stamp = 1" in told[0].message
    lines = {line for _, _, line in await editor.steps("m.dve", "deadlock")}
    first = [f"idle -> one {{ guard {tool} == 0; effect {tool} = 1; }}" for tool in ("ledger", "stamp")]
    second = [f"one -> both {{ guard {tool} == 0; effect {tool} = 1; }}" for tool in ("ledger", "stamp")]
    assert lines == {editor.place("m.dve", step).line for step in first}
    # Mended as the comment says.
    editor.replace("m.dve", first[1], first[0])
    editor.replace("m.dve", second[0], second[1])
    editor.save("m.dve")
    await editor.until("it holds", lambda: holds(editor))


async def holds(editor):
    return (await editor.verdicts("m.dve"))["deadlock"] == "holds"


async def test_an_assertion_and_a_process_that_watches(editor):
    editor.open("flag.dve", (MODELS / "dve/late_flag.dve").read_text())
    editor.open("order.dve", ORDER)
    assert await editor.verdict("flag.dve", "assert Left.work") == "violated"
    [wrong] = await editor.problems("flag.dve", "ltl")
    assert wrong.range.start == editor.place("flag.dve", "work: at_work == 1")
    assert await editor.verdict("order.dve", "Hungry") == "violated"
    [wrong] = await editor.problems("order.dve", "never")
    assert "after 1 step, by a cycle of 3" in wrong.message
    lenses = {lens.range.start.line: lens.command.title for lens in await editor.lenses("order.dve")}
    assert lenses[editor.place("order.dve", "process Hungry {").line] == "Hungry: violated, trail of 4 steps"
    await editor.command("stubborn.step", editor.uri("order.dve"), "Hungry", 1)
    everything = types.Range(types.Position(0, 0), types.Position(99, 0))
    params = types.InlayHintParams(text_document=editor.document("order.dve"), range=everything)
    hints = await editor.client.text_document_inlay_hint_async(params)
    assert any(hint.label.startswith("◀ step 2 of 4") for hint in hints), hints


@pytest.mark.settings(check="demand")
async def test_names(editor):
    editor.open("m.dve", ORDER)
    found = await editor.definition("m.dve", "asking; }")
    assert found.range.start == editor.place("m.dve", "asking, waiting;")
    assert await editor.references("m.dve", "Guest.asking") == {"m.dve": 3}
    assert await editor.rename("m.dve", "order!7", "wish") == {"m.dve": 3}
    with pytest.raises(Exception, match="trans"):
        await editor.rename("m.dve", "order!7", "trans")
    text = await editor.hover("m.dve", editor.place("m.dve", "order!7"))
    assert "channel {byte} order" in text and "**may meet**: [Line 23]" in text, text
    symbols = {s.name: [c.name for c in s.children or []] for s in await editor.symbols("m.dve")}
    assert symbols["Guest"] == ["dish", "content", "asking", "waiting"] and "served" in symbols
    kinds = {text: kind for _, text, kind, _ in await editor.tokens("m.dve")}
    assert (kinds["Guest"], kinds["order"], kinds["trans"]) == ("class", "event", "keyword")
    assert kinds["asking"] == "property"
    params = types.FoldingRangeParams(text_document=editor.document("m.dve"))
    folds = await editor.client.text_document_folding_range_async(params)
    assert editor.place("m.dve", "process Guest").line in {fold.start_line for fold in folds}


COMPLETIONS = {
    "states of the process": ("-> $0asking {}", {"content", "waiting", "Guest", "guard"}, {"wanting"}),
    "states of another process": ("guard Guest.$0asking", {"content", "asking"}, {"wanting", "guard"}),
    "states of the process that watches": ("any -> $0wanting", {"any", "wanting"}, {"asking"}),
}


@pytest.mark.parametrize("kind", COMPLETIONS)
@pytest.mark.settings(check="demand")
async def test_completion(editor, kind):
    where, wanted, unwanted = COMPLETIONS[kind]
    cursor = editor.open("m.dve", ORDER.replace(where.replace("$0", ""), where, 1))
    labels = set(await editor.labels("m.dve", cursor))
    assert wanted <= labels and not unwanted & labels, labels


@pytest.mark.settings(check="demand")
async def test_layout_errors_and_a_quick_fix(editor):
    process = "process P {\nstate a;\ninit a;\ntrans a -> a{effect countre=1;};\n}\n"
    editor.open("m.dve", f"byte counter; // one\n{process}system async;\n")
    [wrong] = await editor.problems("m.dve", "undeclared")
    context = types.CodeActionContext(diagnostics=[wrong])
    params = types.CodeActionParams(text_document=editor.document("m.dve"), range=wrong.range, context=context)
    actions = await editor.client.text_document_code_action_async(params)
    assert "counter" in [e.new_text for action in actions for e in action.edit.changes[editor.uri("m.dve")]]
    text = await editor.laid_out("m.dve")
    assert "// one" in text and "\n    state a;\n" in text, text
    editor.open("again.dve", text)
    assert await editor.laid_out("again.dve") is None


@pytest.mark.settings(check="demand")
async def test_an_empty_text_is_not_taken_for_part_of_a_model(editor):
    editor.open("m.dve", "// nothing yet\n")
    told = await editor.told("m.dve")
    assert told and "no-model" not in {d.code for d in told}, told
