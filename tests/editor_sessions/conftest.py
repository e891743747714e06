"""Sessions with the language server over its standard streams, driven by pytest-lsp.

`STUBBORN` names the binary. Each test has an editor with a workspace folder of its own. A text may contain `$0`, where
the cursor is; it is taken out before anybody sees the text.
"""

import asyncio
import os
import pathlib
import time

import pytest
import pytest_asyncio
from lsprotocol import types
from pytest_lsp import ClientServerConfig, LanguageClient, client_capabilities
from pytest_lsp.client import DEFAULT_CLIENT_FEATURES, default_converter, register_lsp_features

# Models that are shipped with the project.
MODELS = pathlib.Path(__file__).parent.parent / "models"
# What editors call the languages.
LANGUAGES = {".dve": "dve", ".lna": "helena", ".pnml": "pnml", ".xml": "pnml"}

BINARY = os.environ.get("STUBBORN", "stubborn")
# Nothing takes this long, on the slowest machine.
PATIENCE = 60.0

MUTEX = """\
#define N 2
byte inside = 0; /* how many are in */
bool flag[N];

inline enter(me) { flag[me] = true; inside++ }

active [N] proctype P() {
again:
    enter(_pid);
    assert(inside == 1);
    inside--;
    flag[_pid] = false;
    goto again
}

ltl exclusive { [] (inside <= 1) }
"""

# Its states are too many for any test.
ENDLESS = """\
int a, b, c;
active proctype A() { do :: a++ od }
active proctype B() { do :: b++ od }
active proctype C() { do :: c++ ; assert(c != -77777777 || a != b) od }
"""


class Client(LanguageClient):
    """Remembers what pytest-lsp does not: versions of diagnostics, what was asked to be drawn again, and statuses."""

    def __init__(self):
        super().__init__(converter_factory=default_converter)
        self.published = []
        self.refreshed = []
        self.statuses = []


def make_client():
    def publish(client: Client, params: types.PublishDiagnosticsParams):
        client.diagnostics[params.uri] = params.diagnostics
        client.published.append(params)

    def refresh(method):
        def note(client: Client, params):
            client.refreshed.append(method)

        return note

    def note_status(client: Client, params):
        client.statuses.append((params.uri, [plain(entry) for entry in params.properties]))

    client = Client()
    own = {types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS: publish, "stubborn/status": note_status}
    for method in (
        types.WORKSPACE_CODE_LENS_REFRESH,
        types.WORKSPACE_INLAY_HINT_REFRESH,
        types.WORKSPACE_SEMANTIC_TOKENS_REFRESH,
        types.CLIENT_REGISTER_CAPABILITY,
    ):
        own[method] = refresh(method)
    register_lsp_features(client, {**DEFAULT_CLIENT_FEATURES, **own})
    return client


class Editor:
    """What a person does in an editor, in a few words."""

    def __init__(self, client: Client, server: types.InitializeResult, folder: pathlib.Path, encoding: str):
        self.client = client
        self.server = server
        self.folder = folder
        self.encoding = encoding
        self.texts = {}
        self.versions = {}

    def uri(self, name: str) -> str:
        return (self.folder / name).as_uri()

    def document(self, name: str):
        return types.TextDocumentIdentifier(uri=self.uri(name))

    def write(self, name: str, text: str):
        (self.folder / name).write_text(text)

    def write_model(self, folder: str, *names: str):
        """Files that are shipped, as they are."""
        for name in names:
            self.write(name, (MODELS / folder / name).read_text())

    def open(self, name: str, text: str | None = None):
        """Opens a text; returns where the cursor is in it."""
        if text is None:
            text = (self.folder / name).read_text()
        cursor = text.find("$0")
        text = text.replace("$0", "", 1)
        self.texts[name], self.versions[name] = text, 1
        language = LANGUAGES.get(pathlib.Path(name).suffix, "promela")
        item = types.TextDocumentItem(uri=self.uri(name), language_id=language, version=1, text=text)
        self.client.text_document_did_open(types.DidOpenTextDocumentParams(text_document=item))
        return self.position(name, cursor) if cursor >= 0 else None

    def close(self, name: str):
        params = types.DidCloseTextDocumentParams(text_document=self.document(name))
        self.client.text_document_did_close(params)

    def position(self, name: str, offset: int) -> types.Position:
        before = self.texts[name][:offset]
        line = before.split("\n")[-1]
        units = len(line.encode("utf-8")) if self.encoding == "utf-8" else len(line.encode("utf-16-le")) // 2
        return types.Position(line=before.count("\n"), character=units)

    def place(self, name: str, wanted: str) -> types.Position:
        """Where a text occurs first."""
        assert wanted in self.texts[name]
        return self.position(name, self.texts[name].index(wanted))

    def range(self, name: str, wanted: str) -> types.Range:
        start = self.texts[name].index(wanted)
        return types.Range(self.position(name, start), self.position(name, start + len(wanted)))

    def replace(self, name: str, old: str, new: str):
        """Replaces the first occurrence of a text by another, as an incremental change."""
        change = types.TextDocumentContentChangePartial(range=self.range(name, old), text=new)
        self.texts[name] = self.texts[name].replace(old, new, 1)
        self.versions[name] += 1
        document = types.VersionedTextDocumentIdentifier(uri=self.uri(name), version=self.versions[name])
        params = types.DidChangeTextDocumentParams(text_document=document, content_changes=[change])
        self.client.text_document_did_change(params)

    def save(self, name: str):
        params = types.DidSaveTextDocumentParams(text_document=self.document(name))
        self.client.text_document_did_save(params)

    async def until(self, what: str, is_so):
        """Waits until something is so; what it returns."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            found = is_so()
            if asyncio.iscoroutine(found):
                found = await found
            if found:
                return found
            await asyncio.sleep(0.01)
        pytest.fail(f"{what} did not come; told: {self.client.diagnostics}")

    async def told(self, name: str):
        """The diagnostics of the text as it is now."""

        def current():
            mine = [p for p in self.client.published if p.uri == self.uri(name)]
            return mine[-1:] if mine and mine[-1].version == self.versions.get(name) else None

        return (await self.until("diagnostics", current))[0].diagnostics

    async def problems(self, name: str, code: str):
        """The diagnostics with a code, once there are some."""

        def found():
            return [d for d in self.client.diagnostics.get(self.uri(name), []) if d.code == code]

        return await self.until(f"a diagnostic {code}", found)

    async def command(self, command: str, *arguments):
        params = types.ExecuteCommandParams(command=command, arguments=list(arguments))
        return await self.client.workspace_execute_command_async(params)

    async def status(self, name: str):
        entries = await self.command("stubborn.status", self.uri(name))
        return {entry["property"]: entry for entry in map(plain, entries)}

    async def verdict(self, name: str, prop: str):
        """Waits until a property of a model is decided."""

        async def decided():
            entry = (await self.status(name)).get(prop)
            return entry and entry["status"] == "decided" and entry["verdict"]

        return await self.until(f"a verdict on {prop}", decided)

    async def verdicts(self, name: str):
        """Waits until all properties of a model are decided."""

        async def decided():
            entries = await self.status(name)
            is_decided = entries and all(entry["status"] == "decided" for entry in entries.values())
            return is_decided and {prop: entry["verdict"] for prop, entry in entries.items()}

        return await self.until("all verdicts", decided)

    def at(self, name: str, wanted: str):
        """The place where a text occurs first, as requests have it."""
        return {"text_document": self.document(name), "position": self.place(name, wanted)}

    async def definition(self, name: str, wanted: str):
        return await self.client.text_document_definition_async(types.DefinitionParams(**self.at(name, wanted)))

    async def references(self, name: str, wanted: str):
        """How often what is mentioned somewhere is mentioned, by file."""
        context = types.ReferenceContext(include_declaration=True)
        params = types.ReferenceParams(context=context, **self.at(name, wanted))
        files = [pathlib.Path(place.uri).name for place in await self.client.text_document_references_async(params)]
        return {file: files.count(file) for file in files}

    async def rename(self, name: str, wanted: str, new: str):
        """How many changes there are in each file."""
        params = types.RenameParams(new_name=new, **self.at(name, wanted))
        changes = (await self.client.text_document_rename_async(params)).changes
        return {pathlib.Path(uri).name: len(edits) for uri, edits in changes.items()}

    async def steps(self, name: str, prop: str):
        """The steps of a trail: what each is, and the file and line it is in."""
        trail = plain(await self.command("stubborn.trail", self.uri(name), prop))
        found = []
        for step in map(plain, trail["steps"]):
            place = plain(step["location"])
            line = plain(plain(place["range"])["start"])["line"]
            found.append((step["text"], pathlib.Path(place["uri"]).name, line))
        return found

    async def tokens(self, name: str):
        """The words of a text, with what the server says they are."""
        params = types.SemanticTokensParams(text_document=self.document(name))
        data = (await self.client.text_document_semantic_tokens_full_async(params)).data
        legend = self.server.capabilities.semantic_tokens_provider.legend
        lines = self.texts[name].split("\n")
        line = column = 0
        found = []
        for delta_line, delta, length, kind, modifiers in zip(*[iter(data)] * 5):
            line, column = line + delta_line, delta if delta_line else column + delta
            known = {name for i, name in enumerate(legend.token_modifiers) if modifiers >> i & 1}
            found.append((line, lines[line][column : column + length], legend.token_types[kind], known))
        return found

    async def symbols(self, name: str):
        params = types.DocumentSymbolParams(text_document=self.document(name))
        return await self.client.text_document_document_symbol_async(params)

    async def laid_out(self, name: str):
        """The text as it would be laid out; none if nothing changes."""
        options = types.FormattingOptions(tab_size=4, insert_spaces=True)
        params = types.DocumentFormattingParams(text_document=self.document(name), options=options)
        edits = await self.client.text_document_formatting_async(params)
        return edits[0].new_text if edits else None

    async def lenses(self, name: str):
        params = types.CodeLensParams(text_document=self.document(name))
        return await self.client.text_document_code_lens_async(params)

    async def titles(self, name: str):
        return [lens.command.title for lens in await self.lenses(name)]

    async def hover(self, name: str, position: types.Position) -> str:
        params = types.HoverParams(text_document=self.document(name), position=position)
        hover = await self.client.text_document_hover_async(params)
        return hover.contents.value if hover else ""

    async def labels(self, name: str, position: types.Position):
        params = types.CompletionParams(text_document=self.document(name), position=position)
        return [item.label for item in await self.client.text_document_completion_async(params)]


def plain(value):
    """An answer of a command as plain data."""
    return value._asdict() if hasattr(value, "_asdict") else value


@pytest_asyncio.fixture
async def editor(request, tmp_path):
    def marked(name):
        return request.node.get_closest_marker(name)

    folder = tmp_path / "workspace"
    folder.mkdir()
    for name, text in (marked("files").kwargs if marked("files") else {}).items():
        (folder / name.replace("__", ".")).write_text(text)
    client = await ClientServerConfig(server_command=[BINARY, "lsp"], client_factory=make_client).start()
    settings = {"time": 60, **(marked("settings").kwargs if marked("settings") else {})}
    client.set_configuration(settings, section="stubborn")
    encoding = marked("encoding").args[0] if marked("encoding") else "utf-16"
    capabilities = client_capabilities("visual-studio-code")
    capabilities.workspace.inlay_hint = types.InlayHintWorkspaceClientCapabilities(refresh_support=True)
    capabilities.general.position_encodings = [types.PositionEncodingKind(encoding)]
    if marked("no_snippets"):
        capabilities.text_document.completion.completion_item.snippet_support = False
    if marked("trail_documents"):
        capabilities.experimental = {"trailDocuments": True}
    if marked("statuses"):
        capabilities.experimental = {"stubbornStatus": True}
    workspace = types.WorkspaceFolder(uri=folder.as_uri(), name="workspace")
    params = types.InitializeParams(capabilities=capabilities, workspace_folders=[workspace])
    result = await client.initialize_session(params)
    assert result.capabilities.position_encoding == encoding
    yield Editor(client, result, folder, encoding)
    await client.shutdown_session()
    assert client._server.returncode == 0
    await client.stop()
