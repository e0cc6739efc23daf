import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Database } from '../../src/database/database.service.js';
import { Upkeep } from '../../src/database/upkeep.js';
import { READY_DATABASE } from '../support/ready-database.js';

const [EACH_MS, AGAIN_MS] = [60_000, 1000];

let runs: number;
let outcome: () => Promise<void>;
let told: string[];

beforeEach(() => {
  vi.useFakeTimers();
  [runs, outcome, told] = [0, () => Promise.resolve(), []];
});
afterEach(() => vi.useRealTimers());

const upkeepOn = (database: Pick<Database, 'state' | 'whenReady'>) =>
  new Upkeep(
    database,
    { warn: (line: string) => told.push(line) },
    {
      undone: 'Nothing was swept',
      run: () => {
        runs++;
        return outcome();
      },
      ...{ eachMs: EACH_MS, againMs: AGAIN_MS },
    },
  );
const fail = () => Promise.reject(new Error('no broom'));
const passed = (ms: number) => vi.advanceTimersByTimeAsync(ms);

describe('upkeep', () => {
  test('runs at once, and again so long after the end of each run', async () => {
    const upkeep = upkeepOn(READY_DATABASE);
    const slow = Promise.withResolvers<void>();
    outcome = () => slow.promise;
    const begun = upkeep.begin();
    await passed(3 * EACH_MS);
    expect(runs).toBe(1);
    slow.resolve();
    await begun;
    await passed(EACH_MS - 1);
    expect(runs).toBe(1);
    await passed(1);
    expect(runs).toBe(2);
    await upkeep.stop();
  });

  test('waits for a database that was never there without holding anybody up, or filling the log', async () => {
    const contact = Promise.withResolvers<void>();
    const upkeep = upkeepOn({ state: 'connecting', whenReady: () => contact.promise });
    await upkeep.begin();
    await passed(EACH_MS);
    expect([runs, told]).toEqual([0, []]);
    contact.resolve();
    await passed(0);
    expect(runs).toBe(1);
    await upkeep.stop();
  });

  test('tells the first of failures in a row, tries again sooner, and goes back to its pace', async () => {
    const upkeep = upkeepOn(READY_DATABASE);
    outcome = fail;
    await upkeep.begin();
    await passed(2 * AGAIN_MS);
    expect([runs, told]).toEqual([3, ['Nothing was swept: no broom']]);
    outcome = () => Promise.resolve();
    await passed(AGAIN_MS);
    expect(runs).toBe(4);
    outcome = fail;
    await passed(EACH_MS - 1);
    expect(runs).toBe(4);
    await passed(1);
    expect([runs, told.length]).toEqual([5, 2]);
    await upkeep.stop();
  });

  test('a stop waits for the run under way, and none comes after it', async () => {
    const upkeep = upkeepOn(READY_DATABASE);
    const slow = Promise.withResolvers<void>();
    outcome = () => slow.promise;
    void upkeep.begin();
    let stopped = false;
    const stopping = upkeep.stop().then(() => (stopped = true));
    await passed(0);
    expect(stopped).toBe(false);
    slow.resolve();
    await stopping;
    await passed(3 * EACH_MS);
    expect(runs).toBe(1);
  });

  test('one that was stopped before the database came never runs', async () => {
    const contact = Promise.withResolvers<void>();
    const upkeep = upkeepOn({ state: 'connecting', whenReady: () => contact.promise });
    await upkeep.begin();
    await upkeep.stop();
    contact.resolve();
    await passed(EACH_MS);
    expect(runs).toBe(0);
  });
});
