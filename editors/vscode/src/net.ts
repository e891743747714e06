// A picture of the net, drawn by the server: it follows the step of the trail that is selected.

import * as vscode from 'vscode';

import type { Connection } from './client';

let panel: vscode.WebviewPanel | undefined;
let shown: { connection: Connection; uri: string } | undefined;

export async function showNet(connection: Connection, uri: string): Promise<void> {
  if (panel === undefined) {
    panel = vscode.window.createWebviewPanel('stubborn.net', 'Net', { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true }, { enableFindWidget: true });
    panel.onDidDispose(() => (panel = shown = undefined));
  }
  shown = { connection, uri };
  await refreshNet(uri);
  panel.reveal(undefined, true);
}

/** Draws it again, if it is the one of this model: another step is selected, or none. */
export async function refreshNet(uri: string): Promise<void> {
  if (panel === undefined || shown === undefined || shown.uri !== uri) {
    return;
  }
  const svg = await shown.connection.execute<string>('stubborn.net', [uri]).catch((error: unknown) => `<p>${escaped(String(error))}</p>`);
  panel.title = `Net: ${decodeURIComponent(uri.slice(uri.lastIndexOf('/') + 1))}`;
  // No script runs in it, and nothing is loaded.
  panel.webview.html = `<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<style>body { background: #fff; color: #000; margin: 1rem; } svg { max-width: 100%; height: auto; }</style>
</head><body>${svg}</body></html>`;
}

function escaped(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;');
}
