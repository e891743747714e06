// Petri nets: places with their tokens, firings as frames, a dead marking at the end.
import assert from 'node:assert/strict';
import path from 'node:path';
import test from 'node:test';
import { fileURLToPath } from 'node:url';
import { launch } from './session.mjs';

const folder = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../../models/pnml');
const program = path.join(folder, 'philosophers', 'model.pnml');

test('places are variables with their tokens', async (t) => {
  const session = await launch(t, { program, property: 'deadlock' });
  assert.deepEqual((await session.client.threadsRequest()).body.threads.map((thread) => thread.name), ['philosophers']);
  const before = await session.values('Marking');
  assert.equal(before.fork, '{1, 2, 3}');
  await session.move('stepIn');
  const { fork, hungry } = await session.scope('Marking');
  assert.equal(hungry.value, '{1}');
  assert.deepEqual(Object.keys(await session.variables(fork.variablesReference)), ['fork(2)', 'fork(3)']);
  assert.equal((await session.values('Changed'))['idle(1)'], '1 → 0');
});

test('a run of a net ends in a dead marking', async (t) => {
  const session = await launch(t, { program, property: 'deadlock' }, { filters: ['deadlock'] });
  let stop;
  for (let i = 0; i < 3; i++) stop = await session.move('stepIn');
  assert.match(JSON.stringify(stop), /dead marking/);
});
