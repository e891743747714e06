// Connects VS Code to the stubborn program. What models mean is known there: this shows it.

import * as vscode from 'vscode';

import { findBinary, tellMissing } from './binary';
import { showChart } from './chart';
import { Connection } from './client';
import { debugTrail, registerDebugger } from './debug';
import { refreshNet, showNet } from './net';
import { STATUS_NOTIFICATION, type StatusParams } from './protocol';
import { StatusBar } from './statusBar';
import { PropertyTests } from './tests';
import { TrailView } from './trailView';

/** What lives as long as a connection. */
interface Session {
  connection: Connection;
  trails: TrailView;
  parts: vscode.Disposable[];
}

let session: Session | undefined;
let binary: string | undefined;

/** Commands that the server brings. */
const SERVER_COMMANDS = ['check', 'checkAll', 'checkOnCluster', 'cancel', 'showTrail', 'explain', 'dependents'];
/** Say that there is no server, where there is none. */
let substitutes: vscode.Disposable[] = [];

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  registerDebugger(context, () => binary);
  const command = (name: string, run: (...args: unknown[]) => unknown): void => {
    context.subscriptions.push(vscode.commands.registerCommand(name, run));
  };
  command('stubborn.restart', async () => {
    await stop();
    await start(context);
  });
  command('stubborn.openSample', () => openSample(context));
  // The keyboard stays in the tree if it is there.
  command('stubborn.nextStep', (from?: unknown) => session?.trails.go('next', from === 'tree'));
  command('stubborn.previousStep', (from?: unknown) => session?.trails.go('previous', from === 'tree'));
  command('stubborn.filterTrail', () => session?.trails.filter());
  command('stubborn.closeTrail', () => session?.trails.close());
  command('stubborn.showChart', () => withTrail((s, uri, property) => showChart(s.connection, uri, property)));
  command('stubborn.showNet', async () => {
    const uri = session?.connection.net() ?? session?.trails.uri;
    if (session === undefined || uri === undefined) {
      await vscode.window.showInformationMessage('Open a Petri net first.');
      return;
    }
    await showNet(session.connection, uri);
  });
  command('stubborn.debugTrail', () =>
    withTrail(async ({ trails }, uri, property) => {
      // From now on the debugger says where we are.
      await trails.close();
      await debugTrail(uri, property);
    }),
  );
  command('stubborn.copyTrail', () => withTrail(copyTrail));
  command('stubborn.exportTrail', () => withTrail(exportTrail));
  await start(context);
}

export async function deactivate(): Promise<void> {
  await stop();
}

async function start(context: vscode.ExtensionContext): Promise<void> {
  const found = findBinary(context);
  if ('missing' in found) {
    binary = undefined;
    const tell = (): void => void tellMissing(found.missing);
    substitutes = SERVER_COMMANDS.map((name) => vscode.commands.registerCommand(`stubborn.${name}`, tell));
    tell();
    return;
  }
  binary = found.file;
  const connection = new Connection(found.file, (uri, property) => showTrail(uri, property));
  const trails = new TrailView(connection, (uri) => void refreshNet(uri));
  const bar = new StatusBar();
  const tests = new PropertyTests(connection);
  session = { connection, trails, parts: [trails, bar, tests] };
  connection.client.onNotification(STATUS_NOTIFICATION, (params: StatusParams) => {
    bar.update(params);
    tests.update(params);
    if (params.properties.every((p) => p.status !== 'running' && p.status !== 'waiting')) {
      const violated = params.properties.filter((p) => p.verdict === 'violated').map((p) => p.property);
      void trails.refresh(params.uri, violated).then(() => refreshNet(params.uri));
    }
  });
  await connection.client.start();
}

async function stop(): Promise<void> {
  const ended = session;
  session = undefined;
  substitutes.forEach((substitute) => substitute.dispose());
  substitutes = [];
  ended?.parts.forEach((part) => part.dispose());
  await ended?.connection.dispose();
}

async function showTrail(uri: string, property: string): Promise<void> {
  await session?.trails.show(uri, property);
}

/** Does something with the trail that is shown, or else asks which one to show. */
async function withTrail(run: (session: Session, uri: string, property: string) => Promise<void>): Promise<void> {
  if (session?.trails.trail === undefined) {
    await vscode.commands.executeCommand('stubborn.showTrail');
  }
  const { uri, trail } = session?.trails ?? {};
  if (session !== undefined && uri !== undefined && trail !== undefined) {
    await run(session, uri, trail.property);
  }
}

async function copyTrail({ connection }: Session, uri: string, property: string): Promise<void> {
  await vscode.env.clipboard.writeText(await connection.execute<string>('stubborn.export', [uri, property, 'text']));
  vscode.window.setStatusBarMessage('The trail was copied.', 3000);
}

/** Formats a trail can be saved in, with the ends of file names. */
const FORMATS: Record<string, [string, string]> = {
  'Page to step through': ['html', 'html'],
  Chart: ['svg', 'svg'],
  "SPIN's trail, for spin -t": ['spin', 'trail'],
  Text: ['text', 'txt'],
};

async function exportTrail({ connection }: Session, uri: string, property: string): Promise<void> {
  const chosen = await vscode.window.showQuickPick(Object.keys(FORMATS), { placeHolder: 'As what?' });
  const format = chosen === undefined ? undefined : FORMATS[chosen];
  if (format === undefined) {
    return;
  }
  const model = vscode.Uri.parse(uri);
  const file = await vscode.window.showSaveDialog({ defaultUri: model.with({ path: `${model.path}.${format[1]}` }) });
  if (file !== undefined) {
    const text = await connection.execute<string>('stubborn.export', [uri, property, format[0]]);
    await vscode.workspace.fs.writeFile(file, new TextEncoder().encode(text));
  }
}

/** Opens a copy of the model of the walkthrough, beside it. */
async function openSample(context: vscode.ExtensionContext): Promise<void> {
  const from = vscode.Uri.joinPath(context.extensionUri, 'walkthrough', 'mutex.pml');
  const folder = context.globalStorageUri;
  await vscode.workspace.fs.createDirectory(folder);
  const to = vscode.Uri.joinPath(folder, 'mutex.pml');
  await vscode.workspace.fs.copy(from, to, { overwrite: true });
  const isBeside = vscode.window.activeTextEditor === undefined && vscode.window.tabGroups.activeTabGroup.activeTab !== undefined;
  await vscode.window.showTextDocument(to, { viewColumn: isBeside ? vscode.ViewColumn.Beside : vscode.ViewColumn.Active });
}
