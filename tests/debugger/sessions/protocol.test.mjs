// The protocol itself: beginnings, ends, and what is wrong.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import test from 'node:test';
import { connect, launch, model, Session, stubborn } from './session.mjs';

test('capabilities', async (t) => {
  const client = await connect(t);
  const { body } = await client.initializeRequest();
  for (const name of ['StepBack', 'StepInTargetsRequest', 'ConditionalBreakpoints', 'HitConditionalBreakpoints', 'LogPoints']) {
    assert.equal(body[`supports${name}`], true, name);
  }
  assert.deepEqual(body.exceptionBreakpointFilters.map((f) => f.filter), ['assertion', 'deadlock', 'cycle']);
});

test('a launch that cannot be done is refused, and another one can follow', async (t) => {
  const client = await connect(t);
  await client.initializeRequest();
  const refused = (args, why) => assert.rejects(client.launchRequest(args), why);
  await refused({}, /missing field `program`/);
  await refused({ program: model('nowhere.pml') }, /cannot read .*nowhere\.pml/);
  await refused({ program: model('broken.pml') }, /broken\.pml:2:27: `y` is not declared/);
  await refused({ program: model('locks.pml'), property: 'fairness' }, /no property `fairness`, it has: deadlock, assertions/);
  await refused({ program: model('locks.pml'), seed: 'x' }, /launch: invalid type/);
  await assert.rejects(client.threadsRequest(), /nothing is launched/);
  await assert.rejects(client.attachRequest({}), /nothing to attach to/);
  const ready = client.waitForEvent('initialized');
  await client.launchRequest({ program: model('locks.pml') });
  await ready;
});

test('wrong requests are refused, and the session goes on', async (t) => {
  const session = await launch(t, { program: model('locks.pml') });
  const { client } = session;
  const [frame] = await session.frames();
  await assert.rejects(client.customRequest('fly', {}), /`fly` is not supported/);
  await assert.rejects(client.customRequest('stackTrace', {}), /missing field `threadId`/);
  await assert.rejects(client.stackTraceRequest({ threadId: 77 }), /no thread 77/);
  await assert.rejects(client.nextRequest({ threadId: 77 }), /no thread 77/);
  await assert.rejects(client.scopesRequest({ frameId: 12345 }), /no frame 12345/);
  await assert.rejects(client.variablesRequest({ variablesReference: 12345 }), /no variables 12345/);
  await assert.rejects(client.stepInRequest({ threadId: 1, targetId: 12345 }), /no choice 12345/);
  await assert.rejects(client.setExceptionBreakpointsRequest({ filters: ['moon'] }), /no filter `moon`/);
  await assert.rejects(client.exceptionInfoRequest({ threadId: 1 }), /nothing is wrong/);
  await assert.rejects(client.launchRequest({ program: 'x' }), /launched already/);
  await session.move('stepIn');
  await assert.rejects(client.scopesRequest({ frameId: frame.id }), /frames are gone/);
  const sources = await client.customRequest('loadedSources', {});
  assert.deepEqual(sources.body.sources.map((source) => source.path), [model('locks.pml')]);
});

test('lines and columns can begin at 0', async (t) => {
  const client = await connect(t);
  const session = new Session(client);
  const ready = client.waitForEvent('initialized');
  await client.initializeRequest({ adapterID: 'x', linesStartAt1: false, columnsStartAt1: false, pathFormat: 'path' });
  await Promise.all([ready, client.launchRequest({ program: model('handshake.pml') })]);
  const [placed] = await session.breakpoints('handshake.pml', [14]);
  assert.deepEqual([placed.verified, placed.line], [true, 15]);
  await session.stops(() => client.configurationDoneRequest());
  const [frame] = await session.frames(1);
  assert.deepEqual([frame.line, frame.column], [15, 2]);
});

test('a check tells how far it is', async (t) => {
  const client = await connect(t);
  const events = [];
  for (const name of ['progressStart', 'progressUpdate', 'progressEnd']) client.on(name, (event) => events.push(event));
  const ready = client.waitForEvent('initialized');
  await client.initializeRequest({ adapterID: 'x', pathFormat: 'path', supportsProgressReporting: true });
  await Promise.all([ready, client.launchRequest({ program: model('locks.pml'), property: 'auto' })]);
  assert.equal(events[0].event, 'progressStart');
  assert.equal(events[0].body.cancellable, true);
  assert.equal(events.at(-1).event, 'progressEnd');
  assert.equal(new Set(events.map((event) => event.body.progressId)).size, 1);
});

test('a check that takes too long is cancelled, and says so', async (t) => {
  for (const cancel of [
    (client, progress) => client.customRequest('cancel', { progressId: progress.body.progressId }),
    (client, progress) => client.customRequest('cancel', { requestId: progress.body.requestId }),
  ]) {
    const client = await connect(t);
    const session = new Session(client);
    const [ready, progress] = [client.waitForEvent('initialized'), client.waitForEvent('progressStart')];
    await client.initializeRequest({ adapterID: 'x', pathFormat: 'path', supportsProgressReporting: true });
    const launched = client.launchRequest({ program: model('large.pml'), property: 'apart', time: 3600 });
    await cancel(client, await progress);
    await launched;
    await ready;
    assert.match(session.output, /apart: incomplete \(.*cancelled/);
    assert.match(session.output, /no violation was found, which is not to say that there is none/);
    assert.equal((await session.stops(() => client.configurationDoneRequest())).reason, 'entry');
    assert.equal((await session.move('stepIn')).reason, 'step', 'it is not cancelled for ever');
  }
});

test('a client that goes during a check leaves nothing behind', async () => {
  const requests = [
    { seq: 1, type: 'request', command: 'launch', arguments: { program: model('large.pml'), property: 'auto', time: 3600 } },
  ];
  assert.equal((await feed(requests.map(message).join(''))).code, 0);
});

test('a restart reads the model again, and keeps the breakpoints', async (t) => {
  const folder = await mkdtemp(path.join(tmpdir(), 'stubborn-'));
  t.after(() => rm(folder, { recursive: true }));
  const program = path.join(folder, 'handshake.pml');
  await copyFile(model('handshake.pml'), program);
  const client = await connect(t);
  const session = new Session(client);
  const ready = client.waitForEvent('initialized');
  await client.initializeRequest();
  await Promise.all([ready, client.launchRequest({ program, property: 'assertions' })]);
  await client.setBreakpointsRequest({ source: { path: program }, breakpoints: [{ line: 18 }] });
  await session.stops(() => client.configurationDoneRequest());
  await session.move('continue');
  assert.deepEqual(await session.where(), ['Sender:18']);
  const text = await readFile(program, 'utf8');
  await writeFile(program, text.replace('own = 5', 'own = 6'));
  assert.equal(await session.value('own'), '5', 'as it was read');
  const again = await session.stops(() => client.restartRequest({}));
  assert.equal(again.reason, 'entry');
  assert.match(session.output, /assertions: holds/);
  assert.equal(await session.value('own', 1), '6');
  assert.equal((await session.move('continue')).reason, 'breakpoint');
  assert.deepEqual(await session.where(), ['Sender:18']);
  await writeFile(program, 'this is no model');
  const over = client.waitForEvent('terminated');
  await assert.rejects(client.restartRequest({}), /handshake\.pml:1/);
  await over;
});

test('terminate and disconnect end the session and the process', async (t) => {
  const session = await launch(t, { program: model('locks.pml') });
  const over = session.client.waitForEvent('terminated');
  await session.client.terminateRequest();
  await over;
  await session.client.disconnectRequest();
  assert.equal(await session.client.exited, 0);
});

/** Runs the debugger on some input, and waits for its end. */
function feed(input, { end = true } = {}) {
  const child = spawn(stubborn, ['dap'], { stdio: ['pipe', 'pipe', 'pipe'] });
  let [output, errors] = ['', ''];
  child.stdout.on('data', (data) => (output += data));
  child.stderr.on('data', (data) => (errors += data));
  child.stdin.on('error', () => {});
  child.stdin.write(input);
  if (end) child.stdin.end();
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, output, errors })));
}

const message = (value) => {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return `Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`;
};

test('when its input ends, so does the process', async () => {
  assert.deepEqual(await feed(''), { code: 0, output: '', errors: '' });
  const begun = await feed(message({ seq: 1, type: 'request', command: 'initialize', arguments: {} }));
  assert.equal(begun.code, 0);
  assert.match(begun.output, /"supportsStepBack":true/);
  const running = [
    { seq: 1, type: 'request', command: 'launch', arguments: { program: model('endless.pml'), steps: 1e12, stopOnEntry: false } },
    { seq: 2, type: 'request', command: 'configurationDone' },
  ];
  assert.equal((await feed(running.map(message).join(''))).code, 0, 'in the middle of a run');
});

test('after disconnect the process ends, whatever its input does', async () => {
  const gone = await feed(message({ seq: 1, type: 'request', command: 'disconnect' }), { end: false });
  assert.equal(gone.code, 0);
  assert.match(gone.output, /"request_seq":1,"success":true/);
});

test('what is no message ends the process in order', async () => {
  for (const input of ['hello\r\n\r\n', 'Content-Length: x\r\n\r\n', message('no json'), message('{"seq": 1}'), message('[]')]) {
    const { code, errors } = await feed(input, { end: false });
    assert.equal(code, 2, input);
    assert.match(errors, /no message of the protocol/, input);
    assert.doesNotMatch(errors, /panicked/);
  }
});
