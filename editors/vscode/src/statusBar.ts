// What is going on, in the status bar: states of a running check with a click to cancel, or what came of it.

import * as vscode from 'vscode';

import { isModel } from './languages';
import type { PropertyStatus, StatusParams } from './protocol';

export class StatusBar implements vscode.Disposable {
  private readonly item = vscode.window.createStatusBarItem('stubborn.status', vscode.StatusBarAlignment.Left, 10);
  private readonly known = new Map<string, PropertyStatus[]>();
  private readonly listener = vscode.window.onDidChangeActiveTextEditor(() => this.show());

  constructor() {
    this.item.name = 'Stubborn';
  }

  dispose(): void {
    this.item.dispose();
    this.listener.dispose();
  }

  update({ uri, properties }: StatusParams): void {
    this.known.set(vscode.Uri.parse(uri).toString(), properties);
    this.show();
  }

  /** What is known of a model, or of the one whose properties are stated in a document. */
  private of(uri: string): PropertyStatus[] | undefined {
    const isHere = ({ location }: PropertyStatus): boolean => location !== null && vscode.Uri.parse(location.uri).toString() === uri;
    return this.known.get(uri) ?? [...this.known.values()].find((properties) => properties.some(isHere));
  }

  private show(): void {
    const running = [...this.known.values()].flat().filter(isUnderWay);
    const document = vscode.window.activeTextEditor?.document;
    const here = isModel(document) ? this.of(document.uri.toString()) : undefined;
    if (running.length > 0) {
      // Properties of a model that one search decides have the same states.
      const searches = [...this.known.values()].flatMap((of) => [...new Set(of.filter(isUnderWay).map((p) => p.states))]);
      const states = searches.reduce((sum, n) => sum + n, 0);
      this.item.text = `$(sync~spin) ${states.toLocaleString('en')} states`;
      this.item.tooltip = `Checking ${running.map((p) => p.property).join(', ')}. Click to cancel.`;
      this.item.command = 'stubborn.cancel';
      this.item.backgroundColor = undefined;
      this.item.show();
      return;
    }
    if (here === undefined) {
      this.item.hide();
      return;
    }
    const count = (verdict: string): number => here.filter((p) => p.verdict === verdict).length;
    const [violated, holds, incomplete] = [count('violated'), count('holds'), count('incomplete')];
    const parts = [violated > 0 ? `${violated} violated` : '', incomplete > 0 ? `${incomplete} incomplete` : '', holds > 0 ? `${holds} verified` : ''].filter((s) => s !== '');
    const icon = violated > 0 ? '$(error)' : incomplete > 0 ? '$(warning)' : holds > 0 ? '$(verified)' : '$(circle-outline)';
    this.item.text = `${icon} ${parts.length > 0 ? parts.join(', ') : 'not checked'}`;
    this.item.tooltip = here.map((p) => p.title).join('\n');
    this.item.command = violated > 0 ? 'stubborn.showTrail' : 'stubborn.check';
    this.item.backgroundColor = violated > 0 ? new vscode.ThemeColor('statusBarItem.errorBackground') : undefined;
    this.item.show();
  }
}

function isUnderWay(p: PropertyStatus): boolean {
  return p.status === 'running' || p.status === 'waiting';
}
