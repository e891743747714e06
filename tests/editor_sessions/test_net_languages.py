"""Nets: Helena's and PNML, and the files with their properties, whichever is opened, and in whatever order."""

import pytest
from lsprotocol import types

from conftest import MODELS

FERRY = {
    "never_stuck": "holds",
    "assertions": "holds",
    "one_at_a_time": "holds",
    "never_over": "violated",
    "all_get_over": "violated",
}
CARDINALITY, FIREABILITY = "ReachabilityCardinality.xml", "LTLFireability.xml"
WORKSHOP = {
    "deadlock": "violated",
    "assertions": "holds",
    "ReachabilityCardinality-00": "holds",
    "ReachabilityCardinality-01": "violated",
    "LTLFireability-00": "violated",
}
# Folder, net, properties, and the verdicts on both together.
MODEL = {
    "helena": ("helena", "ferry.lna", "ferry.prop.lna", FERRY),
    "pnml": ("pnml/workshop", "model.pnml", CARDINALITY, {k: v for k, v in WORKSHOP.items() if "LTL" not in k}),
}


@pytest.fixture(params=MODEL)
def model(request, editor):
    folder, net, properties, verdicts = MODEL[request.param]
    editor.write_model(folder, net, properties)
    return net, properties, verdicts


async def test_properties_that_are_opened_alone_belong_to_the_net(editor, model):
    net, properties, verdicts = model
    editor.open(properties)
    assert await editor.verdicts(properties) == verdicts
    violated = next(name for name in reversed(verdicts) if verdicts[name] == "violated")
    assert {file for _, file, _ in await editor.steps(properties, violated)} == {net}
    assert await editor.problems(properties, "ltl")
    titles = await editor.titles(properties)
    # Dead markings are told of where they are asked about: in Helena's properties, by name; else in the net.
    stuck = next(iter(verdicts))
    is_asked = stuck != "deadlock"
    assert f"{violated}: violated" in " ".join(titles), titles
    assert any(title.startswith(f"{stuck}: ") for title in titles) == is_asked, titles
    # The net is told of, too, and is the same model when it is opened.
    editor.open(net)
    assert {entry["status"] for entry in (await editor.status(net)).values()} == {"decided"}
    assert await editor.verdicts(net) == verdicts
    assert any(title.startswith(f"{stuck}: ") for title in await editor.titles(net)) != is_asked
    editor.close(net)
    editor.close(properties)

    def is_silent():
        return not any(editor.client.diagnostics.get(editor.uri(name)) for name in (net, properties))

    await editor.until("silence", is_silent)


async def test_unsaved_properties_count(editor, model):
    net, properties, verdicts = model
    editor.open(net)
    assert await editor.verdicts(net) == verdicts
    editor.open(properties)
    old, new = ("never_over", "sometime_over") if net == "ferry.lna" else ("Cardinality-01<", "Cardinality-77<")
    editor.replace(properties, old, new)
    await editor.until("another name", lambda: has(editor, net, new.strip("<")))


async def has(editor, name, part):
    return any(part in prop for prop in await editor.status(name))


async def test_properties_that_appear_on_disk(editor, model):
    net, properties, verdicts = model
    text = (editor.folder / properties).read_text()
    (editor.folder / properties).unlink()
    editor.open(net)
    assert len(await editor.verdicts(net)) == 2
    editor.write(properties, text)
    event = types.FileEvent(uri=editor.uri(properties), type=types.FileChangeType.Created)
    editor.client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams(changes=[event]))
    await editor.until("properties", lambda: has(editor, net, list(verdicts)[-1]))


async def test_properties_without_a_net(editor, model):
    net, properties, _ = model
    (editor.folder / net).unlink()
    editor.open(properties)
    assert {d.code for d in await editor.problems(properties, "missing-net")} == {"missing-net"}
    editor.write_model(MODEL["helena" if net == "ferry.lna" else "pnml"][0], net)
    editor.open(net)
    await editor.until("the net counts", lambda: has(editor, properties, "over" if net == "ferry.lna" else "01"))


async def test_helena(editor):
    editor.write_model("helena", "ferry.prop.lna")
    editor.open("ferry.lna", (MODELS / "helena/ferry.lna").read_text())
    assert await editor.verdicts("ferry.lna") == FERRY
    assert not editor.client.diagnostics[editor.uri("ferry.lna")]
    steps = await editor.steps("ferry.lna", "never_over")
    assert [text for text, _, _ in steps][:2] == ["cross(b=south)", "load(c=1, b=north)"]
    # Names reach the properties.
    assert await editor.references("ferry.lna", "all_over:") == {"ferry.lna": 1, "ferry.prop.lna": 2}
    assert await editor.rename("ferry.lna", "all_over:", "done") == {"ferry.lna": 1, "ferry.prop.lna": 2}
    editor.open("ferry.prop.lna")
    found = await editor.definition("ferry.prop.lna", "crowded")
    assert found.uri == editor.uri("ferry.lna") and found.range.start == editor.place("ferry.lna", "crowded:")
    text = await editor.hover("ferry.prop.lna", editor.place("ferry.prop.lna", "all_get_over"))
    assert "**verdict**: violated" in text and "**automaton**" in text, text
    text = await editor.hover("ferry.lna", editor.place("ferry.lna", "load {"))
    assert "**takes from**: [`waiting`](" in text and "filled by [`unload`](" in text, text
    text = await editor.hover("ferry.lna", editor.place("ferry.lna", "room {"))
    assert "place room { dom: epsilon; }" in text and "room on board" in text and "**seen**: at most 1" in text, text
    symbols = {s.name: [c.name for c in s.children or []] for s in await editor.symbols("ferry.lna")}
    assert symbols["bank"] == ["north", "south"] and symbols["load"] == ["c", "b"]
    kinds = {text: kind for _, text, kind, _ in await editor.tokens("ferry.lna")}
    assert (kinds["load"], kinds["waiting"], kinds["transition"]) == ("class", "variable", "keyword")
    labels = await editor.labels("ferry.prop.lna", editor.place("ferry.prop.lna", "crowded"))
    assert {"all_over", "crowded", "deadlock"} <= set(labels)


async def test_a_dead_net_says_what_is_missing(editor):
    editor.open("m.lna", (MODELS / "helena/two_locks.lna").read_text())
    wrong = await editor.problems("m.lna", "deadlock")
    assert any("tools(stamp) is missing for take_second(c=anna)" in w.message for w in wrong), wrong


@pytest.mark.settings(check="demand")
async def test_errors_and_layout_of_helena(editor):
    transition = "transition t { in { q: epsilon; } out { p: epsilon; } }\n"
    editor.open("m.lna", f"n {{\nplace p {{ dom: epsilon; init: epsilon; }} // one\n{transition}}}\n")
    [wrong] = await editor.problems("m.lna", "undeclared")
    assert wrong.range == editor.range("m.lna", "q")
    text = await editor.laid_out("m.lna")
    assert "// one" in text and "\n   place p" in text, text
    editor.open("again.lna", text)
    assert await editor.laid_out("again.lna") is None


@pytest.mark.settings(defines=["CARS=1"])
async def test_parameters_of_a_net(editor):
    editor.write_model("helena", "ferry.prop.lna")
    editor.open("ferry.lna", (MODELS / "helena/ferry.lna").read_text())
    await editor.verdicts("ferry.lna")
    assert len(await editor.steps("ferry.lna", "never_over")) == 4


async def test_pnml(editor):
    editor.write_model("pnml/workshop", CARDINALITY, FIREABILITY)
    editor.open("model.pnml", (MODELS / "pnml/workshop/model.pnml").read_text())
    assert await editor.verdicts("model.pnml") == WORKSHOP
    wrong = await editor.problems("model.pnml", "deadlock")
    assert any("saw is missing for work1" in w.message for w in wrong), wrong
    steps = await editor.steps("model.pnml", "deadlock")
    assert steps[0] == ("begin1", "model.pnml", editor.place("model.pnml", '<transition id="begin1"').line)
    assert await editor.references("model.pnml", 'works1">') == {"model.pnml": 3, CARDINALITY: 1}
    # Names of XML, and no words that could not be one.
    assert await editor.rename("model.pnml", 'works1">', "place-1.a") == {"model.pnml": 3, CARDINALITY: 1}
    assert await editor.rename("model.pnml", 'works1">', "arc") == {"model.pnml": 3, CARDINALITY: 1}
    text = await editor.hover("model.pnml", editor.place("model.pnml", 'work1">'))
    assert "transition work1" in text and "**takes from**: [`saw`](" in text, text
    editor.open(CARDINALITY)
    found = await editor.definition(CARDINALITY, "works1")
    assert found.uri == editor.uri("model.pnml") and found.range.start == editor.place("model.pnml", 'works1">')
    text = await editor.hover(CARDINALITY, editor.place(CARDINALITY, "ReachabilityCardinality-01"))
    assert "**verdict**: violated" in text, text
    assert {"hammer", "begin1"} <= {s.name for s in await editor.symbols("model.pnml")}
    kinds = {text: kind for _, text, kind, _ in await editor.tokens("model.pnml")}
    assert (kinds["hammer"], kinds["begin1"], kinds["place"]) == ("variable", "class", "keyword")
    labels = await editor.labels(CARDINALITY, editor.place(CARDINALITY, "works1"))
    assert {"works1", "waits2"} <= set(labels)


@pytest.mark.settings(check="demand")
async def test_errors_and_layout_of_pnml(editor):
    text = (MODELS / "pnml/workshop/model.pnml").read_text()
    editor.open("model.pnml", text.replace('source="rests1"', 'source="rest1"').replace("      <place", "<place"))
    [wrong] = await editor.problems("model.pnml", "undeclared")
    assert wrong.range == editor.range("model.pnml", "rest1")
    laid_out = await editor.laid_out("model.pnml")
    assert laid_out == text.replace('source="rests1"', 'source="rest1"'), laid_out
