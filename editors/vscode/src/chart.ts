// The message sequence chart of a trail, drawn by the server.

import * as vscode from 'vscode';

import type { Connection } from './client';

let panel: vscode.WebviewPanel | undefined;

export async function showChart(connection: Connection, uri: string, property: string): Promise<void> {
  const svg = await connection.execute<string>('stubborn.export', [uri, property, 'svg']);
  if (panel === undefined) {
    panel = vscode.window.createWebviewPanel('stubborn.chart', 'Chart', { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true }, { enableFindWidget: true });
    panel.onDidDispose(() => (panel = undefined));
  }
  panel.title = `Chart: ${property}`;
  // No script runs in it, and nothing is loaded.
  panel.webview.html = `<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
<style>body { background: #fff; color: #000; margin: 1rem; } svg { max-width: 100%; height: auto; }</style>
</head><body>${svg.replace(/^<\?xml[^>]*\?>/, '')}</body></html>`;
  panel.reveal(undefined, true);
}
