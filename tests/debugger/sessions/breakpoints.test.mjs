// Breakpoints, in both directions.
import assert from 'node:assert/strict';
import test from 'node:test';
import { launch, model } from './session.mjs';

const assertions = { program: model('handshake.pml'), property: 'assertions' };
const choices = { program: model('choices.pml'), seed: 1 };

test('a run stops before the statement of a breakpoint, both ways', async (t) => {
  const session = await launch(t, assertions, { breakpoints: { 'handshake.pml': [18, 26] } });
  assert.deepEqual(session.placed['handshake.pml'].map((b) => [b.verified, b.line]), [[true, 18], [true, 26]]);
  const [send, count] = session.placed['handshake.pml'];
  let stop = await session.move('continue');
  assert.deepEqual([stop.reason, stop.hitBreakpointIds], ['breakpoint', [send.id]]);
  assert.deepEqual(await session.where(), ['Sender:18']);
  stop = await session.move('continue');
  assert.deepEqual([stop.reason, stop.hitBreakpointIds], ['breakpoint', [count.id]]);
  assert.deepEqual(await session.where(), ['Receiver:26']);
  assert.equal((await session.move('continue')).reason, 'exception');
  assert.deepEqual((await session.move('reverseContinue')).hitBreakpointIds, [count.id]);
  assert.deepEqual((await session.move('reverseContinue')).hitBreakpointIds, [send.id]);
  assert.deepEqual(await session.where(), ['Sender:18']);
  assert.equal((await session.move('reverseContinue')).reason, 'entry');
});

test('breakpoints move to where statements are, or say that there are none', async (t) => {
  const wanted = [8, 14, 17, 22, 28, 99];
  const session = await launch(t, assertions, { breakpoints: { 'handshake.pml': wanted } });
  const placed = session.placed['handshake.pml'];
  assert.deepEqual(placed.map((b) => [b.verified, b.line]), [
    [true, 10], [true, 16], [true, 18], [true, 25], [true, 28], [false, 99],
  ]);
  assert.match(placed[5].message, /no statement begins/);
  const elsewhere = await session.breakpoints('locks.pml', [4]);
  assert.equal(elsewhere[0].verified, false);
  assert.match(elsewhere[0].message, /no part of the model/);
  const locations = await session.client.customRequest('breakpointLocations', {
    source: { path: model('handshake.pml') }, line: 14, endLine: 19,
  });
  assert.deepEqual(locations.body.breakpoints.map((b) => b.line), [16, 18, 19]);
});

test('a d_step is one statement: its lines are its beginning', async (t) => {
  const session = await launch(t, choices, { breakpoints: { 'choices.pml': [16, 17] } });
  assert.deepEqual(session.placed['choices.pml'].map((b) => b.line), [15, 15]);
  assert.equal((await session.move('continue')).reason, 'breakpoint');
  assert.deepEqual(await session.where(), ['Right:15']);
});

test('conditions are those of the process that moves, both ways', async (t) => {
  const condition = [{ line: 7, condition: 'i == 2 && _pid == 0' }];
  const session = await launch(t, choices, { breakpoints: { 'choices.pml': condition } });
  const hits = [];
  let stop = await session.move('continue');
  while (stop.reason === 'breakpoint') {
    hits.push([await session.value('i'), JSON.stringify(await session.values('Globals'))]);
    stop = await session.move('continue');
  }
  assert.ok(hits.length >= 1 && hits.every(([i]) => i === '2'), JSON.stringify(hits));
  const back = [];
  stop = await session.move('reverseContinue');
  while (stop.reason === 'breakpoint') {
    back.push([await session.value('i'), JSON.stringify(await session.values('Globals'))]);
    stop = await session.move('reverseContinue');
  }
  assert.deepEqual(back.reverse(), hits);
  assert.equal(stop.reason, 'entry');
});

test('hits are counted along the run, both ways', async (t) => {
  const session = await launch(t, choices, { breakpoints: { 'choices.pml': [{ line: 7, hitCondition: '3' }] } });
  assert.equal((await session.move('continue')).reason, 'breakpoint');
  const there = [await session.value('i'), await session.value('sum')];
  assert.notEqual((await session.move('continue')).reason, 'breakpoint');
  assert.equal((await session.move('reverseContinue')).reason, 'breakpoint');
  assert.deepEqual([await session.value('i'), await session.value('sum')], there);
  assert.equal((await session.move('reverseContinue')).reason, 'entry');
});

test('messages are said instead of stopping', async (t) => {
  const log = [{ line: 26, logMessage: 'got {v} in mode {mode}, {cell.count + 1}' }];
  const session = await launch(t, assertions, { breakpoints: { 'handshake.pml': log } });
  assert.equal((await session.move('continue')).reason, 'exception');
  assert.match(session.output, /got 5 in mode busy, 1\n/);
});

test('what is wrong with a breakpoint is said where it is set', async (t) => {
  const wrong = [
    { line: 26, condition: 'v ==' }, { line: 26, condition: 'own == 5' }, { line: 26, hitCondition: 'often' },
    { line: 26, logMessage: 'v is {nothing}' }, { line: 26, logMessage: 'v is {v' },
  ];
  const session = await launch(t, assertions, { breakpoints: { 'handshake.pml': wrong } });
  const placed = session.placed['handshake.pml'];
  assert.deepEqual(placed.map((b) => b.verified), [false, false, false, false, false]);
  assert.match(placed[1].message, /`own` is not declared/);
  assert.match(placed[2].message, /no number of hits/);
  assert.match(placed[3].message, /`nothing` is not declared/);
  assert.equal((await session.move('continue')).reason, 'exception', 'none of them stops the run');
});

test('a condition that fails stops the run and says so', async (t) => {
  const session = await launch(t, assertions, {
    breakpoints: { 'handshake.pml': [{ line: 26, condition: '1 / (v - 5)' }] },
  });
  assert.equal((await session.move('continue')).reason, 'breakpoint');
  assert.match(session.output, /cannot be evaluated: division by zero/);
});

test('breakpoints stop other ways of going on, too', async (t) => {
  const session = await launch(t, assertions, { breakpoints: { 'handshake.pml': [11] } });
  const receiver = await session.threadOf('Receiver(1)');
  assert.equal((await session.move('next', { threadId: receiver })).reason, 'breakpoint');
  assert.deepEqual(await session.where(), ['bump:11', 'Sender:17']);
});

test('without a stop on entry, the first statement can be a breakpoint', async (t) => {
  const args = { ...assertions, stopOnEntry: false };
  const session = await launch(t, args, { breakpoints: { 'handshake.pml': [16] } });
  assert.equal(session.first.reason, 'breakpoint');
  assert.deepEqual(await session.where(), ['Sender:16']);
  const other = await launch(t, args);
  assert.equal(other.first.reason, 'exception');
});
