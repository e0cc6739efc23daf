import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { GatewayProcess } from '../support/gateway-process.js';
import type { Key } from '../support/gateway.js';
import { Cluster } from './cluster.js';

/** One way to change a key there and back, and what the next request elsewhere is to be answered. */
type Round = (at: GatewayProcess, elsewhere: GatewayProcess, key: Key) => Promise<Key>;

const ROUNDS = 100;

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
  cluster = await Cluster.start({ slowNotices: true });
});
afterAll(() => cluster.stop());

describe('an admin change that one process has answered', () => {
  test(`judges the next request at another, under load, before any notice has come, ${ROUNDS} times`, async () => {
    const load = new Load(cluster, await cluster.gateways[0].createKey());
    try {
      for (let round = 0; round < ROUNDS; round += 1) {
        const [at, elsewhere] = round % 2 === 0 ? cluster.gateways : cluster.gateways.toReversed();
        load.key = await KINDS[round % KINDS.length]!(at!, elsewhere!, load.key);
      }
    } finally {
      await load.stop();
    }
    expect(load.served).toBeGreaterThan(ROUNDS);
    expect(load.oddities).toEqual([]);
  }, 120_000);
});

/** Requests of the same key and of another that nobody touches, at both processes all the while: caches are warm. */
class Load {
  served = 0;
  readonly oddities: string[] = [];
  private stopped = false;
  private readonly clients: Promise<void>[];

  constructor(
    { gateways }: Cluster,
    public key: Key,
  ) {
    this.clients = gateways.flatMap((gateway) => [this.sameKey(gateway), this.otherKey(gateway)]);
  }

  async stop(): Promise<void> {
    this.stopped = true;
    await Promise.all(this.clients);
  }

  private async sameKey(gateway: GatewayProcess): Promise<void> {
    while (!this.stopped) {
      const { status, text } = await gateway.chat(this.key.key);
      if (status >= 500) this.oddities.push(`${status} ${text}`);
    }
  }

  private async otherKey(gateway: GatewayProcess): Promise<void> {
    const { key } = await gateway.createKey();
    while (!this.stopped) {
      const { status, text } = await gateway.chat(key);
      if (status === 200) this.served += 1;
      else this.oddities.push(`${status} ${text}`);
    }
  }
}

async function change<T>(gateway: GatewayProcess, method: string, path: string, body?: unknown): Promise<T> {
  const answer = await gateway.admin<T>(method, path, body);
  expect(answer.status).toBe(200);
  return answer.body;
}

/** A chat's answer and that of the usage route, which asks no quota: 200, or the code of the refusal. */
async function codesOf(gateway: GatewayProcess, key: string): Promise<(number | string)[]> {
  const answers = await Promise.all([gateway.chat(key), gateway.call('GET', '/v1/usage', { key })]);
  // What a failure of the gateway's own was is in its log only.
  if (answers.some(({ status }) => status >= 500))
    throw new Error(`${answers.map(({ text }) => text).join('\n')}\n${gateway.stdout}`);
  return answers.map(({ status, body }) => (status === 200 ? 200 : (body as { error: { code: string } }).error.code));
}
