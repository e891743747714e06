// The trail as a tree: runs of one process, their steps, and what each changes. To select a step, by a click or by
// the arrow keys, shows its statement in the editor.

import * as vscode from 'vscode';

import type { Connection } from './client';
import type { Change, Step, Trail } from './protocol';

/** Steps of one process in a row. */
class Run {
  constructor(
    readonly process: string,
    readonly pid: number,
    readonly steps: Step[],
    /** The first run of the cycle. */
    readonly beginsCycle: boolean,
  ) {}
}

type Node = Run | Step | { change: Change; of: Step };

function isStep(node: Node): node is Step {
  return 'number' in node;
}

function processName(of: { process: string; pid: number }): string {
  return `${of.process}(${of.pid})`;
}

/** The runs of a trail, without the processes that are hidden. */
export function runsOf(trail: Trail, hidden: ReadonlySet<string>): Run[] {
  const runs: Run[] = [];
  for (const step of trail.steps) {
    if (hidden.has(processName(step))) {
      continue;
    }
    const inCycle = trail.cycle > 0 && step.number >= trail.prefix;
    const last = runs[runs.length - 1];
    const lastInCycle = last?.steps[0] !== undefined && trail.cycle > 0 && last.steps[0].number >= trail.prefix;
    if (last !== undefined && last.pid === step.pid && last.process === step.process && inCycle === lastInCycle) {
      last.steps.push(step);
    } else {
      const begins = inCycle && !lastInCycle;
      runs.push(new Run(step.process, step.pid, [step], begins));
    }
  }
  return runs;
}

export class TrailView implements vscode.TreeDataProvider<Node>, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<Node | undefined>();
  readonly onDidChangeTreeData = this.changed.event;
  private readonly view: vscode.TreeView<Node>;
  private readonly mark = vscode.window.createTextEditorDecorationType({
    isWholeLine: true,
    backgroundColor: new vscode.ThemeColor('editor.stackFrameHighlightBackground'),
    overviewRulerColor: new vscode.ThemeColor('editorOverviewRuler.warningForeground'),
  });
  private readonly disposables: vscode.Disposable[] = [];
  private runs: Run[] = [];
  private hidden = new Set<string>();
  private current: number | undefined;
  trail: Trail | undefined;
  uri: string | undefined;
  /** The trails of models, so that whoever goes to a step by the list of problems selects it. */
  private readonly known = new Map<string, Trail[]>();

  constructor(private readonly connection: Connection) {
    this.view = vscode.window.createTreeView<Node>('stubborn.trail', { treeDataProvider: this, showCollapseAll: true });
    this.disposables.push(
      this.view,
      this.mark,
      this.changed,
      this.view.onDidChangeSelection(({ selection }) => this.selected(selection[0])),
      vscode.window.onDidChangeVisibleTextEditors(() => this.showMark()),
      vscode.window.onDidChangeTextEditorSelection((event) => this.navigated(event)),
    );
  }

  dispose(): void {
    this.disposables.forEach((d) => d.dispose());
  }

  /** Shows the trail of a property. */
  async show(uri: string, property: string): Promise<void> {
    const trail = await this.connection.trail(uri, property);
    const at = this.uri === uri && this.trail?.property === property ? this.current : undefined;
    this.take(uri, trail);
    await vscode.commands.executeCommand('stubborn.trail.focus');
    await this.go(at ?? 0, true);
  }

  private take(uri: string, trail: Trail): void {
    this.uri = uri;
    this.trail = trail;
    this.hidden.clear();
    this.current = undefined;
    this.rebuild();
    void vscode.commands.executeCommand('setContext', 'stubborn.hasTrail', true);
  }

  async close(): Promise<void> {
    const { uri, trail } = this;
    this.trail = this.uri = this.current = undefined;
    this.rebuild();
    this.showMark();
    await vscode.commands.executeCommand('setContext', 'stubborn.hasTrail', false);
    if (uri !== undefined && trail !== undefined) {
      await this.connection.step(uri, trail.property, 'none').catch(() => undefined);
    }
  }

  /** Takes in which properties of a model are violated; takes the trail away if it is none any more. */
  async refresh(uri: string, violated: string[]): Promise<void> {
    const trails = await Promise.all(violated.map((property) => this.connection.trail(uri, property).catch(() => undefined)));
    this.known.set(uri, trails.filter((trail) => trail !== undefined));
    if (this.trail === undefined || this.uri !== uri) {
      return;
    }
    const now = this.known.get(uri)?.find((trail) => trail.property === this.trail?.property);
    if (now === undefined) {
      await this.close();
    } else if (JSON.stringify(now) !== JSON.stringify(this.trail)) {
      this.take(uri, now);
    }
  }

  /** Selects a step, and shows its statement unless the editor is there already. */
  async go(to: number | 'next' | 'previous', keepsFocus: boolean, shows = true): Promise<void> {
    const { trail, uri } = this;
    if (trail === undefined || uri === undefined) {
      return;
    }
    const shown = this.runs.flatMap((run) => run.steps.map((step) => step.number));
    const at = this.current ?? -1;
    const number = to === 'next' ? shown.find((n) => n > at) : to === 'previous' ? shown.findLast((n) => n < at) : to;
    const step = number === undefined ? undefined : trail.steps[number];
    if (step === undefined) {
      return;
    }
    this.current = step.number;
    await this.connection.step(uri, trail.property, step.number);
    if (this.current !== step.number || this.trail !== trail) {
      return;
    }
    if (shows && step.location !== null) {
      const selection = this.connection.client.protocol2CodeConverter.asRange(step.location.range);
      const column = vscode.window.visibleTextEditors.find((e) => e.document.uri.toString() === vscode.Uri.parse(step.location?.uri ?? '').toString())?.viewColumn;
      await vscode.window.showTextDocument(vscode.Uri.parse(step.location.uri), { preserveFocus: keepsFocus, selection, ...(column === undefined ? {} : { viewColumn: column }) });
    }
    this.showMark();
    if (this.view.visible) {
      // To go on and back with the keys of the tree moves its focus, too.
      await this.view.reveal(step, { select: true, focus: keepsFocus && typeof to !== 'number' });
    }
  }

  /** Asks which processes are shown. */
  async filter(): Promise<void> {
    if (this.trail === undefined) {
      return;
    }
    const names = [...new Set(this.trail.steps.map(processName))].sort();
    const items = names.map((label) => ({ label, picked: !this.hidden.has(label) }));
    const chosen = await vscode.window.showQuickPick(items, { canPickMany: true, placeHolder: 'Processes whose steps are shown' });
    if (chosen !== undefined) {
      const shown = new Set(chosen.map((item) => item.label));
      this.hidden = new Set(names.filter((name) => !shown.has(name)));
      this.rebuild();
    }
  }

  private rebuild(): void {
    const { trail } = this;
    this.runs = trail === undefined ? [] : runsOf(trail, this.hidden);
    if (trail === undefined) {
      this.view.message = undefined as unknown as string;
      this.view.description = '';
    } else {
      const n = trail.steps.length;
      const length = `${n} step${n === 1 ? '' : 's'}${trail.cycle > 0 ? `, the last ${trail.cycle} for ever` : ''}`;
      this.view.description = trail.property;
      this.view.message = `${trail.reason === '' ? 'Violated' : trail.reason}. ${length}${trail.shortest ? '; none is shorter' : ''}.${this.hidden.size > 0 ? ` Without ${[...this.hidden].join(', ')}.` : ''}`;
    }
    this.changed.fire(undefined);
  }

  private selected(node: Node | undefined): void {
    const step = node === undefined ? undefined : node instanceof Run ? node.steps[0] : isStep(node) ? node : node.of;
    if (step !== undefined && step.number !== this.current) {
      void this.go(step.number, true);
    }
  }

  /** Whoever goes to a step's statement by the list of problems selects the step: all of the statement is selected then. */
  private navigated({ textEditor, selections, kind }: vscode.TextEditorSelectionChangeEvent): void {
    const selection = selections[0];
    const byHand = kind === vscode.TextEditorSelectionChangeKind.Keyboard || kind === vscode.TextEditorSelectionChangeKind.Mouse;
    const isDebugged = vscode.debug.activeDebugSession?.type === 'stubborn';
    if (selection === undefined || selection.isEmpty || byHand || isDebugged) {
      return;
    }
    const uri = textEditor.document.uri.toString();
    const convert = this.connection.client.protocol2CodeConverter;
    const isHere = ({ location }: Step): boolean =>
      location !== null && vscode.Uri.parse(location.uri).toString() === uri && convert.asRange(location.range).isEqual(selection);
    const others = [...this.known].flatMap(([of, trails]) => trails.map((trail) => ({ of, trail })));
    const shown = this.uri !== undefined && this.trail !== undefined ? [{ of: this.uri, trail: this.trail }] : [];
    for (const { of, trail } of [...shown, ...others]) {
      const here = trail.steps.filter(isHere);
      const at = trail === this.trail ? this.current : undefined;
      if (at !== undefined && here.some((step) => step.number === at)) {
        return;
      }
      const step = here.find((s) => at === undefined || s.number > at) ?? here[0];
      if (step !== undefined) {
        if (trail !== this.trail) {
          this.take(of, trail);
        }
        void this.go(step.number, true, false);
        return;
      }
    }
  }

  private showMark(): void {
    const location = this.current === undefined ? undefined : this.trail?.steps[this.current]?.location;
    for (const editor of vscode.window.visibleTextEditors) {
      const isHere = location != null && editor.document.uri.toString() === vscode.Uri.parse(location.uri).toString();
      const { start, end } = location?.range ?? { start: { line: 0 }, end: { line: 0 } };
      editor.setDecorations(this.mark, isHere ? [new vscode.Range(start.line, 0, end.line, 0)] : []);
    }
  }

  getParent(node: Node): Node | undefined {
    if (node instanceof Run) {
      return undefined;
    }
    return isStep(node) ? this.runs.find((run) => run.steps.includes(node)) : node.of;
  }

  getChildren(node?: Node): Node[] {
    if (node === undefined) {
      return this.runs;
    }
    if (node instanceof Run) {
      return node.steps;
    }
    return isStep(node) ? node.changed.map((change) => ({ change, of: node })) : [];
  }

  getTreeItem(node: Node): vscode.TreeItem {
    if (node instanceof Run) {
      const item = new vscode.TreeItem(processName(node), vscode.TreeItemCollapsibleState.Expanded);
      item.iconPath = new vscode.ThemeIcon(node.beginsCycle ? 'sync' : 'circuit-board');
      item.description = node.beginsCycle ? '↻ from here on for ever' : '';
      return item;
    }
    if (isStep(node)) {
      const state = node.changed.length > 1 ? vscode.TreeItemCollapsibleState.Collapsed : vscode.TreeItemCollapsibleState.None;
      const text = node.text.replace(`${processName(node)}: `, '');
      const item = new vscode.TreeItem(`${node.number + 1}  ${text}`, state);
      item.description = node.changed.map(tellChange).join(', ');
      const matters = node.matters ? 'The violation depends on this step.' : 'The violation does not depend on this step.';
      item.tooltip = [node.text, ...node.changed.map(tellChange), '', matters].join('\n');
      item.iconPath = new vscode.ThemeIcon(node.matters ? 'circle-filled' : 'circle-outline');
      item.id = `${this.uri} ${this.trail?.property} ${node.number}`;
      return item;
    }
    const item = new vscode.TreeItem(tellChange(node.change));
    item.iconPath = new vscode.ThemeIcon('symbol-variable');
    return item;
  }
}

function tellChange({ name, from, to }: Change): string {
  return `${name}: ${from} → ${to}`;
}
