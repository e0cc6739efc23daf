import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { openStore } from '../support/open-store.js';
import { until } from '../support/until.js';
import { OutageBench } from './outage-bench.js';

const NOON = Date.UTC(2030, 4, 15, 12, 0, 30);
const MINUTE = 60_000;
const UNAVAILABLE = { code: 'service_unavailable' };

let bench: OutageBench;

beforeAll(async () => {
  bench = await OutageBench.open();
});
beforeEach(() => bench.begin(NOON));
afterEach(() => bench.end());
afterAll(() => bench.close());

describe('the counts of known keys before an outage', () => {
  test('a key whose counts were older than 10 s at the start of the outage returns 503, as in a process that was suspended', async () => {
    const key = await bench.knownKey();
    await bench.disconnect();
    bench.outageBeginsIn(9000);
    await expect(bench.admission.admit(key)).resolves.toMatchObject({ kind: 'admitted' });
    bench.outageBeginsIn(10_000);
    await expect(bench.admission.admit(key)).rejects.toMatchObject(UNAVAILABLE);
  });

  test('a key without a request in the ten minutes before the outage returns 503, and its counts are not read again', async () => {
    const [key, other] = [await bench.knownKey({ rpdLimit: 9 }), await openStore(bench.database.url)];
    const clocks = jest.spyOn(performance, 'now');
    const sinceMs = performance.now();
    for (const minutes of [9.9, 10.1]) {
      clocks.mockReturnValue(sinceMs + minutes * MINUTE);
      await other.admit([{ ...key, keyId: key.id, count: 1 }]);
      await bench.outage.refresh.run();
    }
    clocks.mockRestore();
    expect(bench.outage.read(key, null).figures.day.used).toBe(1);
    await bench.disconnect();
    bench.outageBeginsIn(10.1 * MINUTE);
    await expect(bench.admission.admit(key)).rejects.toMatchObject(UNAVAILABLE);
    await other.onApplicationShutdown();
  });

  test('an idle process admits what other processes have left, because it reads the counts again every second', async () => {
    const key = await bench.knownKey({ rpdLimit: 10 });
    await bench.admission.admit(key);
    bench.outage.onApplicationBootstrap();
    const other = await openStore(bench.database.url);
    await other.admit([{ ...key, keyId: key.id, count: 7 }]);
    await until(() => bench.outage.read(key, null).figures.day.used === 8);
    await bench.disconnect();
    const verdicts = [
      await bench.admission.admit(key),
      await bench.admission.admit(key),
      await bench.admission.admit(key),
    ];
    expect(verdicts.map(({ kind }) => kind)).toEqual(['admitted', 'admitted', 'rejected']);
    bench.outage.onModuleDestroy();
    await other.onApplicationShutdown();
  });
});
