import { Client } from 'pg';
import { GatewayProcess } from '../../support/gateway-process.js';
import { createScratchDatabase, type ScratchDatabase } from '../../support/scratch-database.js';
import { SlowNotifications } from './slow-notifications.js';
import { startUpstream, type ScriptedUpstream } from '../../support/scripted-upstream.js';

/** Two or more gateway processes with the same database and upstream. */
export class Cluster {
  private constructor(
    readonly gateways: [GatewayProcess, GatewayProcess, ...GatewayProcess[]],
    readonly upstream: ScriptedUpstream,
    readonly database: Client,
    private readonly scratch: ScratchDatabase,
    private readonly notifications: SlowNotifications,
  ) {}

  /**
   * @param given `slowNotifications` delays change notifications by 500 ms; `before` is SQL that runs before the gateways start; `env`
   *   has further settings
   */
  static async start({ slowNotifications = false, before = '', processes = 2, env = {} } = {}): Promise<Cluster> {
    const [upstream, scratch] = await Promise.all([startUpstream(), createScratchDatabase()]);
    const notifications = await SlowNotifications.before(scratch.url);
    const database = new Client({ connectionString: scratch.url });
    await database.connect();
    await database.query(before);
    const settings = settingsOf(upstream, slowNotifications ? notifications : scratch);
    const start = () => GatewayProcess.start({ ...settings, ...env });
    const others = Array.from({ length: processes - 2 }, start);
    const gateways = await Promise.all([start(), start(), ...others] as const);
    return new Cluster(gateways, upstream, database, scratch, notifications);
  }

  async restart(index: 0 | 1): Promise<GatewayProcess> {
    return (this.gateways[index] = await GatewayProcess.start(settingsOf(this.upstream, this.scratch)));
  }

  /**
   * Sends concurrent requests to both processes in turn, and returns their statuses. It repeats those that a slow database makes
   * unavailable, which is without effect with `EXACT`.
   */
  async flood(key: string, count: number): Promise<number[]> {
    const statusOf = async (at: number): Promise<number> => {
      const { status } = await this.gateways[at % 2]!.chat(key);
      return status === 503 ? statusOf(at) : status;
    };
    return Promise.all(Array.from({ length: count }, (_, at) => statusOf(at)));
  }

  async counted(keyId: string): Promise<number> {
    const { rows } = await this.database.query<{ count: number }>(
      'select month_count::int as count from key_quota where key_id = $1',
      [keyId],
    );
    return rows[0]!.count;
  }

  async usage(keyId: string): Promise<{ requests: number; tokens: number }> {
    const { rows } = await this.database.query<{ requests: number; tokens: number }>(
      `select coalesce(sum(requests), 0)::int as requests, coalesce(sum(input_tokens + output_tokens), 0)::int as tokens
         from usage_daily where key_id = $1`,
      [keyId],
    );
    return rows[0]!;
  }

  async stop(): Promise<void> {
    await GatewayProcess.endAll();
    await this.database.end();
    this.notifications.stop();
    await this.upstream.stop();
    await this.scratch.drop();
  }
}

/** Never counts in memory, so that a slow machine cannot make counts inexact. */
export const EXACT = { GW_DB_OUTAGE: 'closed' };

const settingsOf = (upstream: ScriptedUpstream, { url }: { readonly url: string }) => ({
  DATABASE_URL: url,
  GW_UPSTREAM_BASE_URL: upstream.url,
});
