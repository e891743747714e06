// The debugger is the program itself: `stubborn dap`.

import * as vscode from 'vscode';

import { isModel } from './languages';

const TYPE = 'stubborn';

export function registerDebugger(context: vscode.ExtensionContext, binary: () => string | undefined): void {
  context.subscriptions.push(
    vscode.debug.registerDebugAdapterDescriptorFactory(TYPE, {
      createDebugAdapterDescriptor() {
        const file = binary();
        if (file === undefined) {
          throw new Error('The stubborn program was not found; see the setting stubborn.server.path.');
        }
        return new vscode.DebugAdapterExecutable(file, ['dap']);
      },
    }),
    vscode.debug.registerDebugConfigurationProvider(TYPE, {
      resolveDebugConfiguration(_folder, config) {
        const document = vscode.window.activeTextEditor?.document;
        if (config.type === undefined && isModel(document)) {
          return { type: TYPE, request: 'launch', name: 'Follow a trail', program: document.fileName, property: 'auto' };
        }
        return config;
      },
    }),
  );
}

/** Follows the trail of a property in the debugger. */
export async function debugTrail(uri: string, property: string): Promise<void> {
  const program = vscode.Uri.parse(uri).fsPath;
  const isStarted = await vscode.debug.startDebugging(undefined, { type: TYPE, request: 'launch', name: property, program, property });
  if (isStarted) {
    await vscode.commands.executeCommand('workbench.view.debug');
  }
}
