import { describe, expect, test } from '@jest/globals';
import { Config } from '../../../src/platform/config/config.js';
import { restartDelayMs, shortLivesAfter, workerSettings } from '../../../src/start/workers/workers.js';

describe('restartDelayMs', () => {
  test('a long-lived worker is replaced immediately, and repeated early deaths increase the delay', () => {
    let shortLives = 0;
    const delays = [60_000, 10, 10, 10, 10, 10, 10, 10, 60_000, 10].map((lifeMs) => {
      const delay = restartDelayMs(lifeMs, shortLives);
      shortLives = shortLivesAfter(lifeMs, shortLives);
      return delay;
    });
    expect(delays).toEqual([0, 500, 1000, 2000, 4000, 8000, 15_000, 15_000, 0, 500]);
  });
});

describe('workerSettings', () => {
  const sharesOf = (cap: number, workers: number) => {
    const config = Config.from({ GW_WORKERS: String(workers), GW_INSTANCE_MONTHLY_CAP: String(cap) });
    return Array.from({ length: workers }, (_, place) => Number(workerSettings(config, place).GW_INSTANCE_MONTHLY_CAP));
  };

  test.each([
    [10, 4, [3, 3, 2, 2]],
    [9_500_000, 1, [9_500_000]],
    [8, 4, [2, 2, 2, 2]],
    [1, 2, [1, 1]],
  ])('a monthly cap of %i is divided among %i workers', (cap, workers, shares) => {
    expect(sharesOf(cap, workers)).toEqual(shares);
  });

  test("a worker reads the primary process's completed settings", () => {
    const config = Config.from({ GW_WORKERS: '2' }).with({
      databaseUrl: 'postgres://gateway@127.0.0.1:1/gateway',
      upstreamBaseUrl: 'http://127.0.0.1:2/v1',
      upstreamApiKey: 'sandbox',
      adminKeys: [`admin_gw_${'a'.repeat(32)}`, `admin_gw_${'b'.repeat(32)}`],
      secretKeys: [Buffer.alloc(32, 1).toString('base64')],
      ownerEmail: 'owner@localhost',
      ownerPassword: 'a password of some length',
      version: '1.2.3',
      instanceMonthlyCap: 8,
    });
    const read = Config.from({ GW_WORKERS: '2', ...workerSettings(config, 0) });
    expect(read).toEqual(config.with({ instanceMonthlyCap: 4 }));
  });
});
