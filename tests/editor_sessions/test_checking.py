"""The check in the background: stages, progress, cancellation, versions, and what lenses tell of it."""

import pathlib

import pytest
from lsprotocol import types

from conftest import ENDLESS, MUTEX


def reports(editor, kind):
    return [r for values in editor.client.progress_reports.values() for r in values if isinstance(r, kind)]


async def test_progress_tells_states_depth_and_rate_and_can_be_cancelled(editor):
    editor.open("m.pml", ENDLESS)
    report = (await editor.until("progress", lambda: reports(editor, types.WorkDoneProgressReport)))[0]
    assert "states" in report.message and "depth" in report.message and "states/s" in report.message
    assert report.cancellable
    assert any(": running, " in title for title in await editor.titles("m.pml"))
    [token] = editor.client.progress_reports
    params = types.WorkDoneProgressCancelParams(token=token)
    editor.client.window_work_done_progress_cancel(params)
    await editor.until("the end", lambda: reports(editor, types.WorkDoneProgressEnd))
    assert {entry["status"] for entry in (await editor.status("m.pml")).values()} == {"unknown"}


async def test_a_lens_cancels_and_checks_again(editor):
    editor.open("m.pml", ENDLESS)
    await editor.until("progress", lambda: reports(editor, types.WorkDoneProgressReport))
    command = (await editor.lenses("m.pml"))[0].command
    assert command.command == "stubborn.cancel"
    await editor.command(command.command, *command.arguments)
    await editor.until("the end", lambda: reports(editor, types.WorkDoneProgressEnd))
    command = (await editor.lenses("m.pml"))[0].command
    assert command.command == "stubborn.check"
    await editor.command("stubborn.checkAll")
    await editor.until("progress again", lambda: len(editor.client.progress_reports) == 2)


@pytest.mark.statuses
async def test_whoever_wants_to_know_is_told_of_a_check_and_of_its_end(editor):
    def last():
        uri, properties = editor.client.statuses[-1] if editor.client.statuses else (None, [])
        return {entry["status"] for entry in properties} if uri == editor.uri("m.pml") else None

    editor.open("m.pml", ENDLESS)
    await editor.until("a check", lambda: "running" in (last() or ()))
    await editor.command("stubborn.cancel")
    await editor.until("its end", lambda: last() == {"unknown"})
    await editor.command("stubborn.check", editor.uri("m.pml"))
    await editor.until("another check", lambda: "running" in (last() or ()))
    editor.close("m.pml")
    await editor.until("that there is no model any more", lambda: last() == set())


async def test_a_bounded_check_while_one_types_then_all_on_save(editor):
    editor.open("m.pml", ENDLESS)
    await editor.until("progress", lambda: reports(editor, types.WorkDoneProgressReport))
    # The check of another model is in vain.
    editor.replace("m.pml", "a++", "a = a + 2")

    async def bounded():
        return any(": bounded: nothing found in " in title for title in await editor.titles("m.pml"))

    await editor.until("a bounded check", bounded)
    editor.save("m.pml")

    async def running():
        return (await editor.status("m.pml"))["deadlock"]["status"] == "running"

    await editor.until("the whole check", running)


@pytest.mark.settings(check="type")
async def test_all_is_checked_while_one_types_if_asked_for(editor):
    editor.open("m.pml", MUTEX)
    assert await editor.verdict("m.pml", "assertions") == "violated"
    editor.replace("m.pml", "inside == 1", "inside <= 2")
    assert await editor.verdict("m.pml", "assertions") == "holds"


@pytest.mark.settings(check="demand")
async def test_a_comment_keeps_the_verdict_and_moves_the_trail(editor):
    editor.open("m.pml", MUTEX)
    await editor.command("stubborn.check", editor.uri("m.pml"))
    assert await editor.verdict("m.pml", "assertions") == "violated"
    assert await editor.verdict("m.pml", "exclusive") == "violated"
    editor.replace("m.pml", "#define", "/* a comment */\n\n#define")
    wrong = [d for d in await editor.told("m.pml") if d.code == "assertion"]
    assert [d.range.start for d in wrong] == [editor.place("m.pml", "assert(inside")]
    lines = [step.location.range.start.line for step in wrong[0].related_information]
    assert max(lines) == editor.place("m.pml", "assert(inside").line
    # Another property leaves what is known of the others.
    editor.replace("m.pml", "ltl exclusive", "ltl bound { [] (inside <= 2) }\nltl exclusive")
    await editor.told("m.pml")
    status = await editor.status("m.pml")
    assert status["exclusive"]["verdict"] == "violated" and status["assertions"]["verdict"] == "violated"
    assert status["bound"]["status"] == "unknown"
    # Another model is not known.
    editor.replace("m.pml", "inside == 1", "inside == 2")
    assert {entry["status"] for entry in (await editor.status("m.pml")).values()} == {"stale", "unknown"}
    titles = await editor.titles("m.pml")
    assert "assertions: stale" in titles and "bound: not checked yet" in titles
    assert not [d for d in await editor.told("m.pml") if d.code == "assertion"]


async def test_results_are_of_the_version_they_are_told_of(editor):
    editor.open("m.pml", MUTEX)
    await editor.problems("m.pml", "assertion")
    for limit in range(2, 12):
        editor.replace("m.pml", f"inside == {limit - 1}", f"inside == {limit}")
    editor.replace("m.pml", "inside == 11", "inside < 5")
    editor.save("m.pml")
    assert await editor.verdict("m.pml", "assertions") == "holds"
    await editor.told("m.pml")
    last = editor.versions["m.pml"]
    for published in editor.client.published:
        if published.version == last:
            assert not [d for d in published.diagnostics if d.code == "assertion"]
    versions = [p.version for p in editor.client.published if p.uri == editor.uri("m.pml")]
    assert versions == sorted(versions)


@pytest.mark.settings(time=1)
async def test_what_lenses_tell(editor):
    editor.open("m.pml", MUTEX)
    await editor.verdict("m.pml", "exclusive")
    titles = await editor.titles("m.pml")
    assert any(t.startswith("deadlock: verified, ") and " states" in t for t in titles), titles
    assert any(t.startswith("assertions: violated, trail of ") for t in titles), titles
    exclusive = [lens for lens in await editor.lenses("m.pml") if lens.command.title.startswith("exclusive")]
    assert exclusive[0].range.start.line == editor.place("m.pml", "ltl exclusive").line
    editor.replace("m.pml", "goto again", "goto again)")
    await editor.told("m.pml")
    assert all("stale: the text has errors" in t for t in await editor.titles("m.pml"))
    editor.open("endless.pml", ENDLESS)
    await editor.problems("endless.pml", "incomplete")
    titles = await editor.titles("endless.pml")
    assert any(t.startswith("deadlock: incomplete after ") for t in titles), titles


@pytest.mark.settings(check="demand", processes=2, workers=2)
async def test_a_check_on_the_cluster_shows_what_any_check_shows(editor):
    editor.write("m.pml", MUTEX)
    editor.open("m.pml")
    await editor.command("stubborn.checkOnCluster", editor.uri("m.pml"))
    verdicts = await editor.verdicts("m.pml")
    assert verdicts == {"deadlock": "holds", "assertions": "violated", "exclusive": "violated"}
    assert await editor.problems("m.pml", "assertion")
    assert await editor.steps("m.pml", "assertions")
    # All were asked for, the second time as well, whatever was known.
    editor.replace("m.pml", "inside == 1", "inside <= 2")
    await editor.told("m.pml")
    await editor.command("stubborn.checkOnCluster", editor.uri("m.pml"))

    async def refused():
        return all("save it first" in title for title in await editor.titles("m.pml"))

    await editor.until("that others read the file", refused)
    editor.write("m.pml", editor.texts["m.pml"])
    await editor.command("stubborn.checkOnCluster", editor.uri("m.pml"))
    assert (await editor.verdicts("m.pml"))["assertions"] == "holds"


@pytest.mark.settings(check="demand")
async def test_a_check_on_the_cluster_can_be_cancelled_and_leaves_nobody_behind(editor):
    editor.write("m.pml", ENDLESS)
    editor.open("m.pml")
    await editor.command("stubborn.checkOnCluster", editor.uri("m.pml"))
    report = (await editor.until("progress", lambda: reports(editor, types.WorkDoneProgressReport)))[0]
    assert "states" in report.message

    def others():
        """Processes that check this file."""
        found = []
        for process in pathlib.Path("/proc").glob("[0-9]*"):
            try:
                words = (process / "cmdline").read_bytes().split(b"\0")
            except OSError:
                continue
            if str(editor.folder / "m.pml").encode() in words and b"--join" in words:
                found.append(process.name)
        return found

    if pathlib.Path("/proc/self").exists():
        assert others()
    await editor.command("stubborn.cancel", editor.uri("m.pml"))
    await editor.until("the end", lambda: reports(editor, types.WorkDoneProgressEnd))
    await editor.until("that all have gone", lambda: not others())
    assert {entry["status"] for entry in (await editor.status("m.pml")).values()} == {"unknown"}
