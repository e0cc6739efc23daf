import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { until } from '../../support/until.js';
import { CHAT_USAGE } from '../../support/scripted-upstream-responses.js';
import { Cluster } from './cluster.js';

let cluster: Cluster;

beforeAll(async () => {
  cluster = await Cluster.start();
});
afterAll(() => cluster.stop());

describe('usage at the end of a process', () => {
  test('a graceful shutdown under load stores the usage of all served requests', async () => {
    const [, gateway] = cluster.gateways;
    const { id, key } = await gateway.createKey();
    let served = 0;
    const client = async () => {
      for (let open = true; open;) {
        const response = await gateway.chat(key).catch(() => null);
        open = response !== null;
        if (response?.status === 200) served += 1;
      }
    };
    const clients = Array.from({ length: 8 }, client);
    await until(() => served > 40);
    expect(await gateway.stop()).toEqual({ code: 0, signal: null });
    await Promise.all(clients);
    expect(await cluster.usage(id)).toEqual({ requests: served, tokens: served * CHAT_USAGE.total_tokens });
  });

  test('a `kill -9` loses at most the usage of the last second', async () => {
    const [gateway] = cluster.gateways;
    const { id, key } = await gateway.createKey();
    const servedAtMs: number[] = [];
    let killed = false;
    const client = async () => {
      while (!killed) {
        const response = await gateway.chat(key).catch(() => null);
        if (response?.status === 200) servedAtMs.push(performance.now());
      }
    };
    const clients = Array.from({ length: 4 }, client);
    await until(() => servedAtMs.length > 0 && servedAtMs.at(-1)! - servedAtMs[0]! > 1500);
    const killedAtMs = performance.now();
    await gateway.kill();
    killed = true;
    await Promise.all(clients);
    const { requests } = await cluster.usage(id);
    expect(requests).toBeGreaterThanOrEqual(servedAtMs.filter((atMs) => atMs < killedAtMs - 1000).length);
    expect(requests).toBeLessThanOrEqual(await cluster.counted(id));
  });
});
