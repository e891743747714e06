// Every property of an open model as a test of the Test Explorer.

import * as vscode from 'vscode';

import type { Connection } from './client';
import type { PropertyStatus, StatusParams } from './protocol';

export class PropertyTests implements vscode.Disposable {
  private readonly controller = vscode.tests.createTestController('stubborn', 'Stubborn');
  /** Runs that were asked for and are not over, by model. */
  private readonly asked = new Map<string, vscode.TestRun>();
  /** What was shown last. */
  private readonly shown = new Map<string, string>();

  constructor(private readonly connection: Connection) {
    this.controller.createRunProfile('Check', vscode.TestRunProfileKind.Run, (request, token) => this.run(request, token), true);
  }

  dispose(): void {
    this.controller.dispose();
  }

  /** Takes in what the server says of a model. */
  update({ uri, properties }: StatusParams): void {
    const model = this.model(uri);
    model.children.replace(properties.map((p) => this.property(model, p)));
    const decided = properties.every((p) => p.status !== 'running' && p.status !== 'waiting');
    const told = JSON.stringify(properties.map((p) => [p.property, p.status, p.verdict, p.title]));
    const asked = this.asked.get(model.id);
    if (!decided || (asked === undefined && this.shown.get(model.id) === told)) {
      return;
    }
    this.shown.set(model.id, told);
    const run = asked ?? this.controller.createTestRun(new vscode.TestRunRequest([model]), undefined, false);
    for (const p of properties) {
      const test = model.children.get(p.property);
      if (test !== undefined) {
        tell(run, test, p);
      }
    }
    run.end();
    this.asked.delete(model.id);
  }

  private model(uri: string): vscode.TestItem {
    const at = vscode.Uri.parse(uri);
    const id = at.toString();
    let item = this.controller.items.get(id);
    if (item === undefined) {
      item = this.controller.createTestItem(id, vscode.workspace.asRelativePath(at), at);
      this.controller.items.add(item);
    }
    return item;
  }

  private property(model: vscode.TestItem, p: PropertyStatus): vscode.TestItem {
    const item = model.children.get(p.property) ?? this.controller.createTestItem(p.property, p.property, model.uri);
    const range = p.location?.range;
    item.range = range === undefined ? new vscode.Range(0, 0, 0, 0) : this.connection.client.protocol2CodeConverter.asRange(range);
    item.description = p.title.replace(`${p.property}: `, '');
    return item;
  }

  private async run(request: vscode.TestRunRequest, token: vscode.CancellationToken): Promise<void> {
    const wanted = request.include ?? [...this.controller.items].map(([, item]) => item);
    const models = new Set(wanted.map((test) => test.parent ?? test));
    for (const model of models) {
      const run = this.controller.createTestRun(new vscode.TestRunRequest([model]));
      model.children.forEach((test) => run.started(test));
      this.asked.set(model.id, run);
      const uri = model.uri === undefined ? model.id : this.connection.client.code2ProtocolConverter.asUri(model.uri);
      token.onCancellationRequested(() => void this.connection.execute('stubborn.cancel', [uri]));
      await this.connection.execute('stubborn.check', [uri]);
    }
  }
}

function tell(run: vscode.TestRun, test: vscode.TestItem, p: PropertyStatus): void {
  const message = new vscode.TestMessage(p.title);
  if (test.uri !== undefined && test.range !== undefined) {
    message.location = new vscode.Location(test.uri, test.range);
  }
  if (p.status === 'decided' && p.verdict === 'holds') {
    run.passed(test);
  } else if (p.verdict === 'violated') {
    run.failed(test, message);
  } else if (p.status === 'failed' || p.verdict === 'incomplete') {
    run.errored(test, message);
  } else {
    run.skipped(test);
  }
}
