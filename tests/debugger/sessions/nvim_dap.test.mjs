// What nvim-dap asks, in its order, and what it makes of the answers. It cannot be installed here by itself; this
// follows what its session does from `initialize` to `disconnect`.
import assert from 'node:assert/strict';
import test from 'node:test';
import { connect, model } from './session.mjs';

class NvimDap {
  constructor(client) {
    this.client = client;
    this.threads = new Map();
    this.log = [];
    client.on('thread', ({ body }) => this.thread(body));
    client.on('continued', () => (this.stopped = undefined));
    client.on('stopped', ({ body }) => (this.settled = this.arrive(body)));
  }

  request(command, args) {
    this.log.push(command);
    return this.client.customRequest(command, args).then(({ body }) => body);
  }

  /** Launches, and waits for the first stop. */
  async run(config, breakpoints = []) {
    const { client } = this;
    this.capabilities = await this.request('initialize', {
      clientID: 'neovim', clientName: 'neovim', adapterID: 'nvim-dap', pathFormat: 'path', columnsStartAt1: true, linesStartAt1: true,
      supportsRunInTerminalRequest: true, supportsVariableType: true, supportsProgressReporting: true,
      supportsStartDebuggingRequest: true, locale: 'C.UTF-8',
    });
    const initialized = client.waitForEvent('initialized');
    const launched = this.request('launch', { type: 'stubborn', request: 'launch', name: 'Follow a trail', ...config });
    await initialized;
    const source = { path: config.program, name: config.program.split('/').at(-1) };
    this.placed = [];
    if (breakpoints.length > 0) {
      const lines = breakpoints.map(({ line }) => line);
      this.placed = (await this.request('setBreakpoints', { source, sourceModified: false, breakpoints, lines })).breakpoints;
    }
    const filters = this.capabilities.exceptionBreakpointFilters.filter((f) => f.default).map((f) => f.filter);
    await this.request('setExceptionBreakpoints', { filters });
    await this.stops(() => this.request('configurationDone'));
    await launched;
  }

  /** Does something, and waits until the stop it leads to has been looked at. */
  async stops(action) {
    const stopped = this.client.waitForEvent('stopped');
    await action();
    const { body } = await stopped;
    await this.settled;
    return body;
  }

  step(how, args = {}) {
    const threadId = this.stopped;
    this.stopped = undefined;
    return this.stops(() => this.request(how, { ...args, threadId, granularity: 'statement' }));
  }

  thread({ reason, threadId }) {
    if (reason === 'exited') this.threads.delete(threadId);
    else this.isDirty = true;
  }

  /** Threads are asked for only where something is known to be new. */
  async arrive({ threadId, reason, allThreadsStopped }) {
    if (this.isDirty || !this.threads.has(threadId)) {
      const { threads } = await this.request('threads');
      this.threads = new Map(threads.map((thread) => [thread.id, thread.name]));
      this.isDirty = false;
    }
    assert.ok(this.threads.has(threadId), 'the thread that stopped is one');
    assert.ok(allThreadsStopped);
    assert.ok(this.stopped === undefined || this.stopped === threadId, 'it would let the thread go on at once');
    this.stopped = threadId;
    const { stackFrames } = await this.request('stackTrace', { startFrame: 0, threadId });
    this.frame = stackFrames[0];
    if (this.frame === undefined) return;
    assert.ok(this.frame.source.path.startsWith('/') && this.frame.line > 0 && this.frame.column > 0);
    if (reason === 'exception') {
      const info = await this.request('exceptionInfo', { threadId });
      assert.ok(info.breakMode, 'it is put into a text');
      this.exception = info.description;
    }
    const { scopes } = await this.request('scopes', { frameId: this.frame.id });
    this.scopes = {};
    for (const { name, variablesReference } of scopes.filter((scope) => !scope.expensive)) {
      const { variables } = await this.request('variables', { variablesReference });
      this.scopes[name] = Object.fromEntries(variables.map((variable) => [variable.name, variable.value]));
    }
  }

  async evaluate(expression) {
    const answer = await this.request('evaluate', { expression, context: 'repl', frameId: this.frame.id });
    assert.equal(typeof answer.variablesReference, 'number', 'it is compared with 0');
    return answer.result;
  }
}

async function start(t, config, breakpoints) {
  const dap = new NvimDap(await connect(t));
  await dap.run(config, breakpoints);
  return dap;
}

const trail = { program: model('handshake.pml'), property: 'auto' };

test('a trail is followed, back and forth', async (t) => {
  const dap = await start(t, trail, [{ line: 18, condition: '', hitCondition: '', logMessage: '' }]);
  assert.deepEqual(dap.log, [
    'initialize', 'launch', 'setBreakpoints', 'setExceptionBreakpoints', 'configurationDone', 'threads', 'stackTrace',
    'scopes', ...Array(4).fill('variables'),
  ]);
  assert.deepEqual(dap.placed.map(({ verified, line }) => [verified, line]), [[true, 18]], 'what is left empty is no condition');
  assert.ok(dap.capabilities.supportsStepBack, 'without it there is no way back');
  assert.equal((await dap.step('continue')).reason, 'breakpoint');
  assert.equal(dap.frame.line, 18);
  assert.equal(dap.scopes.Globals.n, '1');
  await dap.step('stepBack');
  assert.equal(dap.frame.line, 11);
  await dap.step('stepBack');
  assert.equal(dap.scopes.Globals.n, '0');
  assert.equal(await dap.evaluate('n + own'), '5');
  assert.equal(await dap.evaluate('mode'), 'busy');
  await assert.rejects(dap.evaluate('nothing'), /not declared/);
  await dap.step('continue');
  assert.equal((await dap.step('continue')).reason, 'exception');
  assert.match(dap.exception, /assert\(v != 5\)/);
  assert.equal((await dap.step('reverseContinue')).reason, 'breakpoint');
  assert.equal((await dap.step('reverseContinue')).reason, 'entry');
});

test('a step is chosen', async (t) => {
  const dap = await start(t, { program: model('choices.pml') });
  const { targets } = await dap.request('stepInTargets', { frameId: dap.frame.id });
  const right = targets.find((target) => target.label.startsWith('Right'));
  await dap.step('stepIn', { targetId: right.id });
  assert.equal(dap.scopes.Globals.sum, '20');
});

test('processes that come and go are threads that come and go', async (t) => {
  const dap = await start(t, { program: model('family.pml'), property: 'assertions' });
  const names = () => [...dap.threads.values()];
  const seen = [names()];
  let stop = { reason: 'step' };
  while (stop.reason === 'step') {
    stop = await dap.step('stepIn');
    seen.push(names());
  }
  assert.equal(stop.reason, 'exception');
  const most = Math.max(...seen.map((threads) => threads.length));
  assert.deepEqual([seen[0].length, most >= 2], [1, true]);
  for (let i = seen.length - 2; i >= 0; i--) {
    await dap.step('stepBack');
    assert.deepEqual(new Set(names()), new Set(seen[i]), `threads after ${i} steps`);
  }
});

test('a restart leads to the beginning, and no further', async (t) => {
  const dap = await start(t, { program: model('locks.pml'), property: 'deadlock' });
  await dap.step('continue');
  const first = dap.stopped;
  const again = await dap.stops(() => dap.request('restart'));
  assert.equal(again.reason, 'entry');
  assert.deepEqual(dap.scopes.Globals, { a: '0', b: '0' });
  assert.ok(first !== undefined && !dap.log.includes('next'));
});

test('the end is what it waits for', async (t) => {
  const dap = await start(t, trail);
  const over = dap.client.waitForEvent('terminated');
  await dap.request('terminate', {});
  await over;
  const other = await start(t, trail);
  await other.request('disconnect', { restart: false, terminateDebuggee: true });
  assert.equal(await other.client.exited, 0);
});
