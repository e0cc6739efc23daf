import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { GatewayProcess } from '../../../support/gateway-process.js';
import { startUpstream, type ScriptedUpstream } from '../../../support/scripted-upstream.js';
import { connect, StatsDatabase } from '../../../support/stats-database.js';
import { until } from '../../../support/until.js';

let database: StatsDatabase;
let source: DataSource;
let upstream: ScriptedUpstream;
beforeAll(async () => {
  database = await StatsDatabase.create();
  source = await connect(database.url);
  upstream = await startUpstream();
});
afterAll(async () => {
  await GatewayProcess.endAll();
  await upstream.stop();
  await source.destroy();
  await database.close();
});

interface Sums {
  readonly requests: number;
  readonly used: number;
  readonly nanos: string;
  readonly tokens: number;
  readonly used_tokens: number;
}
/** The sums of both tables in one snapshot. */
const sums = async (): Promise<Sums> => {
  const [row] = await source.query<Sums[]>(
    `select (select coalesce(sum(requests), 0)::int from cost_daily) as requests,
            (select coalesce(sum(cost_nanos), 0)::text from cost_daily) as nanos,
            (select coalesce(sum(input + cached_input + output), 0)::int from cost_daily) as tokens,
            (select coalesce(sum(requests), 0)::int from usage_daily) as used,
            (select coalesce(sum(input_tokens + output_tokens), 0)::int from usage_daily) as used_tokens`,
  );
  return row!;
};

test('a process that is killed while it writes neither loses written costs nor counts any twice', async () => {
  const env = { DATABASE_URL: database.url, GW_UPSTREAM_BASE_URL: upstream.url };
  const survivor = await GatewayProcess.start(env);
  const { key } = await survivor.createKey();
  expect((await survivor.chat(key)).status).toBe(200);
  await until(async () => (await sums()).requests === 1);
  const unit = BigInt((await sums()).nanos);
  expect(unit > 0n).toBe(true);
  const expectExact = ({ requests, used, nanos, tokens, used_tokens }: Sums) =>
    expect({ requests, nanos: BigInt(nanos), tokens }).toEqual({
      requests: used,
      nanos: unit * BigInt(used),
      tokens: used_tokens,
    });

  let answered = 1;
  let sent = 1;
  for (let round = 0; round < 2; round++) {
    const victim = await GatewayProcess.start(env);
    let killed = false;
    const load = async (gateway: GatewayProcess) => {
      while (!killed) {
        sent += 1;
        const response = await gateway.chat(key).catch(() => null);
        // Answers of the killed process within its last second can be unwritten.
        if (response?.status === 200 && gateway === survivor) answered += 1;
      }
    };
    const before = (await sums()).requests;
    const loads = [victim, victim, victim, survivor].map(load);
    await until(async () => {
      const now = await sums();
      expectExact(now);
      return now.requests > before + 100;
    });
    await victim.kill();
    killed = true;
    await Promise.all(loads);
  }
  await survivor.stop();
  const end = await sums();
  expectExact(end);
  expect(end.requests).toBeGreaterThanOrEqual(answered);
  expect(end.requests).toBeLessThanOrEqual(sent);
});
