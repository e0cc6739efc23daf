import { afterAll, beforeAll, expect, test } from 'vitest';
import { Client } from 'pg';
import { until } from '../support/until.js';
import { OwnRedis, describeWithOwnRedis } from '../redis/own-redis.js';
import { GatewayProcess } from '../support/gateway-process.js';
import { createScratchDatabase, type ScratchDatabase } from '../support/scratch-database.js';
import { startUpstream, type ScriptedUpstream } from '../support/scripted-upstream.js';

const LIMIT = 12;
const SERVED = 7;

describeWithOwnRedis('a process that counts in Redis', () => {
  let redis: OwnRedis;
  let scratch: ScratchDatabase;
  let database: Client;
  let upstream: ScriptedUpstream;

  beforeAll(async () => {
    [redis, scratch, upstream] = await Promise.all([OwnRedis.start(), createScratchDatabase(), startUpstream()]);
    database = new Client({ connectionString: scratch.url });
    await database.connect();
  });
  afterAll(async () => {
    await GatewayProcess.endAll();
    await Promise.all([database.end(), redis.drop(), upstream.stop()]);
    await scratch.drop();
  });

  const start = () =>
    GatewayProcess.start({ DATABASE_URL: scratch.url, GW_UPSTREAM_BASE_URL: upstream.url, REDIS_URL: redis.url });
  const inRecord = async (id: string) => {
    const sql = 'select month_count::int as count from key_quota where key_id = $1';
    return (await database.query<{ count: number }>(sql, [id])).rows[0]!.count;
  };
  /** Nothing is told of the key meanwhile, and what was under way to be told is given up by the server. */
  async function withoutRecord(id: string, work: () => Promise<void>): Promise<void> {
    await database.query('begin');
    await database.query('select from key_quota where key_id = $1 for update', [id]);
    await work();
    await database.query(
      `select pg_terminate_backend(pid, 5000) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid()`,
    );
    await database.query('commit');
  }

  test('is killed (SIGKILL) before it has told PostgreSQL: Redis still has it, and the limit goes on where it was', async () => {
    const killed = await start();
    const { id, key } = await killed.createKey({ monthly_limit: LIMIT });
    expect((await killed.chat(key)).status).toBe(200);
    await until(async () => (await inRecord(id)) === 1, 5000);
    await withoutRecord(id, async () => {
      for (let i = 1; i < SERVED; i++) expect((await killed.chat(key)).status).toBe(200);
      await killed.kill();
    });
    expect(await inRecord(id)).toBe(1);

    const next = await start();
    const statuses = [];
    for (let i = 0; i < LIMIT; i++) statuses.push((await next.chat(key)).status);
    const left = LIMIT - SERVED;
    expect(statuses).toEqual([...Array<number>(left).fill(200), ...Array<number>(SERVED).fill(429)]);
    await next.stop();
    expect(await inRecord(id)).toBeGreaterThanOrEqual(left);
    expect(await inRecord(id)).toBeLessThanOrEqual(LIMIT);
  }, 60_000);
});
