// Every property of an open model as a test of the Test Explorer.
//
// The explorer shows the controllers' tests at once and everything below them folded, and no extension can unfold
// them: so a model is a controller, and its properties are seen without a click.

import * as vscode from 'vscode';

import type { Connection } from './client';
import type { PropertyStatus, StatusParams } from './protocol';

/** A model with its properties. */
interface Model {
  uri: vscode.Uri;
  controller: vscode.TestController;
  /** A run that was asked for and is not over. */
  asked?: vscode.TestRun | undefined;
  /** What was shown last. */
  shown?: string;
}

export class PropertyTests implements vscode.Disposable {
  private readonly models = new Map<string, Model>();

  constructor(private readonly connection: Connection) {}

  dispose(): void {
    this.models.forEach(({ controller }) => controller.dispose());
    this.models.clear();
  }

  /** Takes in what the server says of a model. */
  update({ uri, properties }: StatusParams): void {
    if (properties.length === 0) {
      this.forget(vscode.Uri.parse(uri).toString());
      return;
    }
    const model = this.model(uri);
    const tests = model.controller.items;
    tests.replace(properties.map((p, i) => this.property(model, p, i)));
    const decided = properties.every((p) => p.status !== 'running' && p.status !== 'waiting');
    const told = JSON.stringify(properties.map((p) => [p.property, p.status, p.verdict, p.title]));
    if (!decided || (model.asked === undefined && model.shown === told)) {
      return;
    }
    model.shown = told;
    const run = model.asked ?? model.controller.createTestRun(new vscode.TestRunRequest(), undefined, false);
    for (const p of properties) {
      const test = tests.get(p.property);
      if (test !== undefined) {
        tell(run, test, p);
      }
    }
    run.end();
    model.asked = undefined;
  }

  /** Of a model that is closed, or cannot be read at the moment, there are no properties. */
  private forget(id: string): void {
    if (vscode.workspace.textDocuments.some((document) => document.uri.toString() === id)) {
      return;
    }
    this.models.get(id)?.asked?.end();
    this.models.get(id)?.controller.dispose();
    this.models.delete(id);
  }

  private model(uri: string): Model {
    const at = vscode.Uri.parse(uri);
    const id = at.toString();
    let model = this.models.get(id);
    if (model === undefined) {
      model = { uri: at, controller: vscode.tests.createTestController(`stubborn ${id}`, vscode.workspace.asRelativePath(at)) };
      const { controller } = model;
      controller.createRunProfile('Check', vscode.TestRunProfileKind.Run, (_, token) => this.run(id, token), true);
      this.models.set(id, model);
    }
    return model;
  }

  private property({ uri, controller }: Model, p: PropertyStatus, at: number): vscode.TestItem {
    // It may be stated in another file than the model.
    const file = p.location === null ? uri : vscode.Uri.parse(p.location.uri);
    const item = controller.items.get(p.property) ?? controller.createTestItem(p.property, p.property, file);
    const range = p.location?.range;
    item.range = range === undefined ? new vscode.Range(0, 0, 0, 0) : this.connection.client.protocol2CodeConverter.asRange(range);
    item.description = p.title.replace(`${p.property}: `, '');
    item.sortText = String(at).padStart(4, '0');
    return item;
  }

  /** All properties of a model are checked together. */
  private async run(id: string, token: vscode.CancellationToken): Promise<void> {
    const model = this.models.get(id);
    if (model === undefined) {
      return;
    }
    const run = model.controller.createTestRun(new vscode.TestRunRequest());
    model.controller.items.forEach((test) => run.started(test));
    model.asked?.end();
    model.asked = run;
    const uri = this.connection.client.code2ProtocolConverter.asUri(model.uri);
    token.onCancellationRequested(() => void this.connection.execute('stubborn.cancel', [uri]));
    await this.connection.execute('stubborn.check', [uri]);
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
