// The languages of models, by the names that the editor has for them.

import type * as vscode from 'vscode';

export const LANGUAGES = ['promela', 'dve', 'helena', 'pnml'];
/** Those of Petri nets. */
export const NETS = ['helena', 'pnml'];

/** Whether a document is a model, or a part of one. */
export function isModel(document: vscode.TextDocument | undefined): document is vscode.TextDocument {
  return document !== undefined && LANGUAGES.includes(document.languageId);
}
