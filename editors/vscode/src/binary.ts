// Finds the stubborn program: the setting, then the PATH, then the one in the extension.

import * as fs from 'node:fs';
import * as path from 'node:path';
import * as vscode from 'vscode';

const NAME = process.platform === 'win32' ? 'stubborn.exe' : 'stubborn';

function isProgram(file: string): boolean {
  try {
    fs.accessSync(file, fs.constants.X_OK);
    return fs.statSync(file).isFile();
  } catch {
    return false;
  }
}

/** The program, or why there is none. */
export function findBinary(context: vscode.ExtensionContext): { file: string } | { missing: string } {
  const setting = vscode.workspace.getConfiguration('stubborn').get<string>('server.path', '').trim();
  if (setting !== '') {
    return isProgram(setting) ? { file: setting } : { missing: `The setting stubborn.server.path names ${setting}, which is no program.` };
  }
  const folders = (process.env['PATH'] ?? '').split(path.delimiter).filter((folder) => folder !== '');
  const candidates = folders.map((folder) => path.join(folder, NAME));
  candidates.push(context.asAbsolutePath(path.join('server', NAME)));
  const found = candidates.find(isProgram);
  return found !== undefined ? { file: found } : { missing: 'The stubborn program was not found on the PATH, and this build of the extension does not carry it.' };
}

/** Says what to do, with buttons to do it. */
export async function tellMissing(why: string): Promise<void> {
  const setting = 'Open Setting';
  const reload = 'Try Again';
  const answer = await vscode.window.showErrorMessage(
    `${why} Models are not checked. Install it with "cargo install --path crates/cli" in a checkout of Stubborn, or name the program in the setting.`,
    setting,
    reload,
  );
  if (answer === setting) {
    await vscode.commands.executeCommand('workbench.action.openSettings', 'stubborn.server.path');
  } else if (answer === reload) {
    await vscode.commands.executeCommand('stubborn.restart');
  }
}
