// A session with the debugger, by Microsoft's client library for tests of debug adapters.
import assert from 'node:assert/strict';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import support from '@vscode/debugadapter-testsupport';

const here = path.dirname(fileURLToPath(import.meta.url));

/** The binary: `STUBBORN`, or the one that is built for release. */
export const stubborn = process.env.STUBBORN ?? path.resolve(here, '../../../target/release/stubborn');

/** The path of a model. */
export const model = (name) => path.resolve(here, '../models', name);

/** A client that is connected and has launched nothing. */
export async function connect(t) {
  const client = new support.DebugClient(stubborn, 'dap', 'stubborn');
  client.defaultTimeout = 30_000;
  await client.start();
  const child = client._adapterProcess;
  child.stdin.on('error', () => {});
  client.exited = new Promise((resolve) => child.on('exit', resolve));
  // Whoever waits for a process that is gone would wait for long.
  const gone = client.exited.then((code) => Promise.reject(new Error(`the debugger ended with ${code}`)));
  gone.catch(() => {});
  const send = client.send.bind(client);
  client.send = (...request) => Promise.race([send(...request), gone]);
  const waitForEvent = client.waitForEvent.bind(client);
  client.waitForEvent = (...event) => {
    const waiting = Promise.race([waitForEvent(...event), gone]);
    waiting.catch(() => {});
    return waiting;
  };
  t.after(async () => {
    if (child.exitCode === null && child.signalCode === null) await Promise.race([client.stop(), client.exited]);
  });
  return client;
}

/** A session that has come to its first stop. */
export async function launch(t, args, { breakpoints = {}, filters } = {}) {
  const client = await connect(t);
  const session = new Session(client);
  const ready = client.waitForEvent('initialized');
  await client.initializeRequest();
  await Promise.all([ready, client.launchRequest(args)]);
  session.placed = {};
  for (const [name, wanted] of Object.entries(breakpoints)) session.placed[name] = await session.breakpoints(name, wanted);
  if (filters) await client.setExceptionBreakpointsRequest({ filters });
  session.first = await session.stops(() => client.configurationDoneRequest());
  return session;
}

export class Session {
  constructor(client) {
    this.client = client;
    this.output = '';
    client.on('output', (event) => (this.output += event.body.output));
  }

  /** Does something, and waits for the stop it leads to. */
  async stops(action) {
    const [stopped] = await Promise.all([this.client.waitForEvent('stopped'), action()]);
    assert.equal(stopped.body.allThreadsStopped, true);
    this.thread = stopped.body.threadId;
    return stopped.body;
  }

  /** Moves: `stepIn`, `next`, `stepOut`, `stepBack`, `continue` or `reverseContinue`. */
  move(how, args = {}) {
    return this.stops(() => this.client[`${how}Request`]({ threadId: this.thread, ...args }));
  }

  async breakpoints(name, wanted) {
    const breakpoints = wanted.map((b) => (typeof b === 'number' ? { line: b } : b));
    const response = await this.client.setBreakpointsRequest({ source: { path: model(name) }, breakpoints });
    return response.body.breakpoints;
  }

  async threads() {
    return (await this.client.threadsRequest()).body.threads;
  }

  /** The number of the thread with that name. */
  async threadOf(name) {
    const thread = (await this.threads()).find((thread) => thread.name === name);
    assert.ok(thread, `there is a thread ${name}`);
    return thread.id;
  }

  async frames(threadId = this.thread) {
    return (await this.client.stackTraceRequest({ threadId })).body.stackFrames;
  }

  /** Where a thread is: name and line of each frame. */
  async where(threadId) {
    return (await this.frames(threadId)).map((frame) => `${frame.name}:${frame.line}`);
  }

  /** A scope of a thread: what is in it, by name. */
  async scope(name, threadId) {
    const [frame] = await this.frames(threadId);
    const { scopes } = (await this.client.scopesRequest({ frameId: frame.id })).body;
    const scope = scopes.find((scope) => scope.name === name);
    assert.ok(scope, `there is a scope ${name}`);
    return this.variables(scope.variablesReference);
  }

  async variables(variablesReference, more = {}) {
    const { variables } = (await this.client.variablesRequest({ variablesReference, ...more })).body;
    return Object.fromEntries(variables.map((variable) => [variable.name, variable]));
  }

  /** The values of a scope, by name. */
  async values(name, threadId) {
    const variables = Object.entries(await this.scope(name, threadId));
    return Object.fromEntries(variables.map(([name, variable]) => [name, variable.value]));
  }

  async evaluate(expression, { threadId, context = 'watch' } = {}) {
    const [frame] = await this.frames(threadId);
    return (await this.client.evaluateRequest({ expression, frameId: frame.id, context })).body;
  }

  async value(expression, threadId) {
    return (await this.evaluate(expression, { threadId })).result;
  }

  async targets() {
    const [frame] = await this.frames();
    return (await this.client.stepInTargetsRequest({ frameId: frame.id })).body.targets;
  }
}
