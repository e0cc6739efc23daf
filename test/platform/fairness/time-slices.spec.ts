import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import { TimeSlices } from '../../../src/platform/fairness/time-slices.js';

let nowMs = 0;
/** Simulates synchronous work that takes this long. */
const work = (ms: number): void => void (nowMs += ms);

/** Queues one unit of work for each letter at once. Returns the event-loop turn in which each was done, in order. */
async function worked(holders: string, msOf: (holder: string) => number): Promise<[turn: number, holder: string][]> {
  const turns = new TimeSlices(() => nowMs);
  const done: [number, string][] = [];
  let turn = 0;
  const all = [...holders].map(async (holder) => {
    const wait = turns.enter(holder);
    if (wait !== undefined) await wait;
    work(msOf(holder));
    done.push([turn, holder]);
  });
  for (; done.length < holders.length; turn++) await nextTurn();
  await Promise.all(all);
  return done;
}

const inOrder = (done: readonly [number, string][]) => done.map(([, holder]) => holder).join('');

describe('TimeSlices', () => {
  test('work of a few milliseconds runs immediately, in one turn of the event loop', () => {
    const turns = new TimeSlices(() => nowMs);
    expect(Array.from({ length: 10 }, () => turns.enter('a'))).toEqual(Array.from({ length: 10 }, () => undefined));
  });

  test('longer work is spread over several turns', async () => {
    const done = await worked('aaaaaa', () => 4);
    // The first unit runs immediately.
    expect(new Set(done.slice(1).map(([turn]) => turn)).size).toBe(5);
  });

  test('a holder with a lot of work does not delay others', async () => {
    expect(inOrder(await worked('aaaaabbc', () => 4))).toBe('aabcabaa');
  });

  test('holders get equal time rather than equal numbers of turns', async () => {
    const done = await worked('axxxyyyyyyyyyyyy', (holder) => (holder === 'y' ? 2 : 8));
    expect(inOrder(done)).toBe('axyyyyxyyyyxyyyy');
  });

  test('a slow turn extends the slice to its own length', async () => {
    const turns = new TimeSlices(() => nowMs);
    void turns.enter('a');
    work(8);
    let done = 0;
    for (let i = 0; i < 4; i++)
      void turns.enter('a')!.then(() => {
        work(4);
        done++;
      });
    await nextTurn();
    expect(done).toBe(2);
    // The rest of the work would advance the clock of another test.
    while (done < 4) await nextTurn();
  });

  test('long work is followed by a pause of the same length', async () => {
    const turns = new TimeSlices(() => nowMs);
    void turns.enter('a');
    work(5);
    const [first, second] = [turns.enter('a'), turns.enter('a')];
    await first;
    work(30);
    const beganAtMs = performance.now();
    await second;
    expect(performance.now() - beganAtMs).toBeGreaterThanOrEqual(28);
  });
});
