// The connection to the server. Commands that the server offers can be called without arguments: they are then
// about the model in the editor, and ask for the property.

import * as vscode from 'vscode';
import { LanguageClient, type LanguageClientOptions, type ServerOptions, TransportKind } from 'vscode-languageclient/node';

import { isModel, LANGUAGES, NETS } from './languages';
import type { PropertyStatus, Step, Trail } from './protocol';

/** Settings that are for the extension, not for the server. */
const OWN_SETTINGS = ['server', 'trace'];

export class Connection {
  readonly client: LanguageClient;
  private lastModel: vscode.TextDocument | undefined;
  private readonly listener = vscode.window.onDidChangeActiveTextEditor((editor) => {
    if (isModel(editor?.document)) {
      this.lastModel = editor?.document;
    }
  });

  constructor(binary: string, showTrail: (uri: string, property: string) => Promise<void>) {
    const server: ServerOptions = { command: binary, args: ['lsp'], transport: TransportKind.stdio };
    const options: LanguageClientOptions = {
      documentSelector: LANGUAGES.map((language) => ({ language })),
      outputChannelName: 'Stubborn',
      synchronize: { configurationSection: 'stubborn' },
      initializationOptions: {},
      middleware: {
        workspace: {
          configuration: async (params, token, next) => {
            const values = await next(params, token);
            return Array.isArray(values) ? values.map(withoutOwn) : values;
          },
          didChangeConfiguration: async () => {
            await this.client.sendNotification('workspace/didChangeConfiguration', { settings: null });
          },
        },
        window: {
          // Steps are shown by the trail view, which knows whether somebody has gone on meanwhile.
          showDocument: () => Promise.resolve({ success: true }),
        },
        executeCommand: async (command, args: unknown[], next) => {
          const filled = await this.fill(command, args ?? []);
          if (filled === undefined) {
            return undefined;
          }
          if (command === 'stubborn.showTrail') {
            return showTrail(String(filled[0]), String(filled[1]));
          }
          const answer = await next(command, filled);
          if (command === 'stubborn.dependents') {
            await this.listPlaces(filled, answer);
          }
          return answer;
        },
      },
    };
    this.lastModel = vscode.window.activeTextEditor?.document;
    this.client = new LanguageClient('stubborn', 'Stubborn', server, options);
    this.client.registerFeature({
      fillClientCapabilities: (capabilities) => {
        capabilities.experimental = { ...(capabilities.experimental as object | undefined), stubbornStatus: true };
      },
      initialize: () => {},
      getState: () => ({ kind: 'static' }),
      clear: () => {},
    });
  }

  async dispose(): Promise<void> {
    this.listener.dispose();
    await this.client.dispose();
  }

  execute<T>(command: string, args: unknown[]): Promise<T> {
    return this.client.sendRequest<T>('workspace/executeCommand', { command, arguments: args });
  }

  trail(uri: string, property: string): Promise<Trail> {
    return this.execute('stubborn.trail', [uri, property]);
  }

  status(uri: string): Promise<PropertyStatus[]> {
    return this.execute('stubborn.status', [uri]);
  }

  /** Selects a step: the server shows the values there. */
  step(uri: string, property: string, step: number | 'none'): Promise<Step | null> {
    return this.execute('stubborn.step', [uri, property, step]);
  }

  /** The model that is meant: the one in the editor, or else, as from the walkthrough, the one that was there last. */
  private model(): vscode.TextDocument | undefined {
    const document = vscode.window.activeTextEditor?.document ?? this.lastModel;
    return isModel(document) && !document.isClosed ? document : undefined;
  }

  /** The Petri net that is meant, if it is one. */
  net(): string | undefined {
    const model = this.model();
    return model !== undefined && NETS.includes(model.languageId) ? this.client.code2ProtocolConverter.asUri(model.uri) : undefined;
  }

  /** The arguments of a command, asked for where they are missing. */
  private async fill(command: string, given: unknown[]): Promise<unknown[] | undefined> {
    const args = given.filter((arg) => arg instanceof Object ? !(arg instanceof vscode.Uri) && !('groupId' in arg) : true);
    if (args.length > 0 || command === 'stubborn.checkAll' || command === 'stubborn.cancel') {
      return args;
    }
    const model = this.model();
    if (model === undefined) {
      await vscode.window.showInformationMessage('Open a model first.');
      return undefined;
    }
    const uri = this.client.code2ProtocolConverter.asUri(model.uri);
    switch (command) {
      case 'stubborn.dependents':
        return [uri, this.client.code2ProtocolConverter.asPosition(vscode.window.activeTextEditor?.selection.active ?? new vscode.Position(0, 0))];
      case 'stubborn.showTrail':
      case 'stubborn.trail':
        return this.withProperty(uri, (p) => p.verdict === 'violated', 'No property of this model is violated, as far as it was checked.');
      case 'stubborn.explain':
        return this.withProperty(uri, () => true, 'This model has no properties.');
      default:
        return [uri];
    }
  }

  private async withProperty(uri: string, wanted: (p: PropertyStatus) => boolean, none: string): Promise<unknown[] | undefined> {
    const found = (await this.status(uri)).filter(wanted);
    if (found.length <= 1) {
      if (found[0] === undefined) {
        await vscode.window.showInformationMessage(none);
        return undefined;
      }
      return [uri, found[0].property];
    }
    const items = found.map((p) => ({ label: p.property, description: p.title.replace(`${p.property}: `, '') }));
    const chosen = await vscode.window.showQuickPick(items, { placeHolder: 'Which property?' });
    return chosen === undefined ? undefined : [uri, chosen.label];
  }

  /** Lists places as references are listed. */
  private async listPlaces([uri, position]: unknown[], answer: unknown): Promise<void> {
    const convert = this.client.protocol2CodeConverter;
    const places = (answer as { uri: string; range: never }[]).map((place) => convert.asLocation(place));
    if (places.length === 0) {
      await vscode.window.showInformationMessage('No statement depends on this one.');
      return;
    }
    const at = convert.asPosition(position as never);
    await vscode.commands.executeCommand('editor.action.showReferences', vscode.Uri.parse(String(uri)), at, places);
  }
}

function withoutOwn(value: unknown): unknown {
  if (value === null || typeof value !== 'object') {
    return value;
  }
  return Object.fromEntries(Object.entries(value).filter(([key]) => !OWN_SETTINGS.includes(key)));
}
