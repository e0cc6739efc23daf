import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { GatewayProcess } from '../support/gateway-process.js';
import type { Key } from '../support/gateway.js';
import { until } from '../support/until.js';
import { Cluster } from './cluster.js';

/** One way to change a key there and back, and what the next request elsewhere is to be answered. */
type Round = (at: GatewayProcess, elsewhere: GatewayProcess, key: Key) => Promise<Key>;

const ROUNDS = 100;
/**
 * Rounds in which the machine stood still for so long that a database answered too late: what an admin was not answered
 * judges nobody, and a process that has said that it serves from memory does not know of changes (D22). They are made again.
 */
const VOID_MAX = 5;
const LOG_MS_MAX = 1000;

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
        await load.judge(KINDS[round % KINDS.length]!, at!, elsewhere!);
      }
    } finally {
      await load.stop();
    }
    expect(load.served).toBeGreaterThan(ROUNDS);
    expect(load.oddities).toEqual([]);
    expect(load.unavailable).toBeLessThanOrEqual(VOID_MAX);
  }, 120_000);
});

/** Requests of the same key and of another that nobody touches, at both processes all the while: caches are warm. */
class Load {
  served = 0;
  unavailable = 0;
  readonly oddities: string[] = [];
  private stopped = false;
  private voidRounds = 0;
  private readonly clients: Promise<void>[];

  constructor(
    { gateways }: Cluster,
    private key: Key,
  ) {
    this.clients = gateways.flatMap((gateway) => [this.sameKey(gateway), this.otherKey(gateway)]);
  }

  async judge(round: Round, at: GatewayProcess, elsewhere: GatewayProcess): Promise<void> {
    const before = memoryTold();
    try {
      this.key = await round(at, elsewhere, this.key);
    } catch (error) {
      this.voidRounds += 1;
      if (this.voidRounds > VOID_MAX || !(await isVoid(error, before))) throw error;
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
    }
  }

  private note(status: number, text: string): void {
    if (status === 503) this.unavailable += 1;
    else this.oddities.push(`${status} ${text}`);
  }
}

class Unavailable extends Error {}

/** How often the processes have said that they serve from memory. */
const memoryTold = () => cluster.gateways.reduce((sum, { stdout }) => sum + stdout.split('from memory').length, 0);

const isVoid = async (error: unknown, toldBefore: number): Promise<boolean> =>
  error instanceof Unavailable ||
  until(() => memoryTold() > toldBefore, LOG_MS_MAX).then(
    () => true,
    () => false,
  );

async function change<T>(gateway: GatewayProcess, method: string, path: string, body?: unknown): Promise<T> {
  const answer = await gateway.admin<T>(method, path, body);
  if (answer.status === 503) throw new Unavailable(`${answer.text}\n${gateway.stdout}`);
  expect(answer.status).toBe(200);
  return answer.body;
}

/** A chat's answer and that of the usage route, which asks no quota: 200, or the code of the refusal. */
async function codesOf(gateway: GatewayProcess, key: string): Promise<(number | string)[]> {
  const answers = await Promise.all([gateway.chat(key), gateway.call('GET', '/v1/usage', { key })]);
  // What a failure of the gateway's own was is in its log only.
  const failed = answers.find(({ status }) => status >= 500);
  if (failed !== undefined)
    throw new (failed.status === 503 ? Unavailable : Error)(
      `${answers.map(({ text }) => text).join('\n')}\n${gateway.stdout}`,
    );
  return answers.map(({ status, body }) => (status === 200 ? 200 : (body as { error: { code: string } }).error.code));
}
