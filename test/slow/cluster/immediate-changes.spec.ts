import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { GatewayProcess } from '../../support/gateway-process.js';
import type { Key } from '../../support/gateway.js';
import { until } from '../../support/until.js';
import { Cluster } from './cluster.js';

/** Changes a key at one process and back again, and expects the next request to the other process to respect each change. */
type Round = (at: GatewayProcess, elsewhere: GatewayProcess, key: Key) => Promise<Key>;

/** Twelve of each kind, each with two changes. */
const ROUNDS = 60;
/**
 * Rounds that are repeated because the machine stalled and the database responded too late. A change without a response is not
 * guaranteed to apply, and a process that serves from memory cannot see changes (D22).
 */
const RETRIES_MAX = 5;
const LOG_MS_MAX = 1000;
/** The changed key is requested without pauses. The unchanged one only has to notice side effects. */
const OTHER_KEY_EACH_MS = 20;

const suspension: Round = async (at, elsewhere, key) => {
  await change(at, 'POST', `/${key.id}/suspend`);
  expect(await codesOf(elsewhere, key.key)).toEqual(['api_key_suspended', 'api_key_suspended']);
  await change(at, 'POST', `/${key.id}/unsuspend`);
  expect(await codesOf(elsewhere, key.key)).toEqual([200, 200]);
  return key;
};

const rotation: Round = async (at, elsewhere, key) => {
  const { key: fresh } = await change<Key>(at, 'POST', `/${key.id}/rotate`);
  expect(await codesOf(elsewhere, key.key)).toEqual(['invalid_api_key', 'invalid_api_key']);
  expect(await codesOf(elsewhere, fresh)).toEqual([200, 200]);
  return { id: key.id, key: fresh };
};

const models: Round = async (at, elsewhere, key) => {
  await change(at, 'PATCH', `/${key.id}`, { allowed_models: ['gpt-4o'] });
  expect(await codesOf(elsewhere, key.key)).toEqual(['model_not_allowed', 200]);
  await change(at, 'PATCH', `/${key.id}`, { allowed_models: null });
  expect(await codesOf(elsewhere, key.key)).toEqual([200, 200]);
  return key;
};

const limits: Round = async (at, elsewhere, key) => {
  await change(at, 'PATCH', `/${key.id}`, { monthly_limit: 1 });
  expect(await codesOf(elsewhere, key.key)).toEqual(['rate_limit_exceeded', 200]);
  await change(at, 'PATCH', `/${key.id}`, { monthly_limit: null });
  expect(await codesOf(elsewhere, key.key)).toEqual([200, 200]);
  return key;
};

const expiry: Round = async (at, elsewhere, key) => {
  await change(at, 'PATCH', `/${key.id}`, { expires_at: '2020-01-01T00:00:00Z' });
  expect(await codesOf(elsewhere, key.key)).toEqual(['api_key_expired', 'api_key_expired']);
  await change(at, 'PATCH', `/${key.id}`, { expires_at: null });
  expect(await codesOf(elsewhere, key.key)).toEqual([200, 200]);
  return key;
};

const KINDS = [suspension, rotation, models, limits, expiry];

let cluster: Cluster;

beforeAll(async () => {
  cluster = await Cluster.start({ slowNotifications: true });
});
afterAll(() => cluster.stop());

describe('operator changes under load', () => {
  test(`a change applies to the next request to another process before its notification arrives (${ROUNDS} times)`, async () => {
    const load = new Load(cluster, await cluster.gateways[0].createKey());
    try {
      for (let round = 0; round < ROUNDS; round += 1) {
        const [at, elsewhere] = round % 2 === 0 ? cluster.gateways : cluster.gateways.toReversed();
        await load.judge(KINDS[round % KINDS.length]!, at!, elsewhere!);
      }
    } finally {
      await load.stop();
    }
    expect(load.served).toBeGreaterThan(ROUNDS);
    expect(load.oddities).toEqual([]);
    expect(load.unavailable).toBeLessThanOrEqual(RETRIES_MAX);
  });
});

/** Continuous requests to both processes with the changed key and an unchanged one, so that caches are warm. */
class Load {
  served = 0;
  unavailable = 0;
  readonly oddities: string[] = [];
  private stopped = false;
  private retries = 0;
  private readonly clients: Promise<void>[];

  constructor(
    { gateways }: Cluster,
    private key: Key,
  ) {
    this.clients = gateways.flatMap((gateway) => [this.sameKey(gateway), this.otherKey(gateway)]);
  }

  async judge(round: Round, at: GatewayProcess, elsewhere: GatewayProcess): Promise<void> {
    const before = memoryLogLines();
    try {
      this.key = await round(at, elsewhere, this.key);
    } catch (error) {
      this.retries += 1;
      if (this.retries > RETRIES_MAX || !(await isRetryable(error, before))) throw error;
      this.key = await at.createKey();
      await this.judge(round, at, elsewhere);
    }
  }

  async stop(): Promise<void> {
    this.stopped = true;
    await Promise.all(this.clients);
  }

  private async sameKey(gateway: GatewayProcess): Promise<void> {
    while (!this.stopped) {
      const { status, text } = await gateway.chat(this.key.key);
      if (status >= 500) this.note(status, text);
    }
  }

  private async otherKey(gateway: GatewayProcess): Promise<void> {
    const { key } = await gateway.createKey();
    while (!this.stopped) {
      const { status, text } = await gateway.chat(key);
      if (status === 200) this.served += 1;
      else this.note(status, text);
      await pause(OTHER_KEY_EACH_MS);
    }
  }

  private note(status: number, text: string): void {
    if (status === 503) this.unavailable += 1;
    else this.oddities.push(`${status} ${text}`);
  }
}

class Unavailable extends Error {}

const memoryLogLines = () => cluster.gateways.reduce((sum, { stdout }) => sum + stdout.split('from memory').length, 0);

const isRetryable = async (error: unknown, linesBefore: number): Promise<boolean> =>
  error instanceof Unavailable ||
  until(() => memoryLogLines() > linesBefore, LOG_MS_MAX).then(
    () => true,
    () => false,
  );

async function change<T>(gateway: GatewayProcess, method: string, path: string, body?: unknown): Promise<T> {
  const response = await gateway.admin<T>(method, path, body);
  if (response.status === 503) throw new Unavailable(`${response.text}\n${gateway.stdout}`);
  expect(response.status).toBe(200);
  return response.body;
}

/** Returns 200 or the error code of a chat request and of a usage request, which skips the quota. */
async function codesOf(gateway: GatewayProcess, key: string): Promise<(number | string)[]> {
  const responses = await Promise.all([gateway.chat(key), gateway.call('GET', '/v1/usage', { key })]);
  // The cause of an internal error is only in the log of the gateway.
  const failed = responses.find(({ status }) => status >= 500);
  if (failed !== undefined)
    throw new (failed.status === 503 ? Unavailable : Error)(
      `${responses.map(({ text }) => text).join('\n')}\n${gateway.stdout}`,
    );
  return responses.map(({ status, body }) => (status === 200 ? 200 : (body as { error: { code: string } }).error.code));
}
