import { Client } from 'pg';
import { FaultProxy } from '../../support/fault-proxy.js';
import { until } from '../../support/until.js';
import { ADMIN_KEY, type Response, type Key } from '../../support/gateway.js';
import { GatewayProcess } from '../../support/gateway-process.js';
import { createScratchDatabase, type ScratchDatabase } from '../../support/scratch-database.js';
import { respondToChat, CHAT_USAGE } from '../../support/scripted-upstream-responses.js';
import { startUpstream, type ScriptedUpstream } from '../../support/scripted-upstream.js';
import { figuresOf, type Figures } from './storage-figures.js';

/** Monthly request limit of every key. */
export const LIMIT = 50;
const PLENTY_MS = 15_000;
/** The stages of each key's request, or of the change to the key, at the time of the kill. */
const STAGES = [
  'admitting',
  'waiting',
  'streaming',
  'writing',
  'unwritten',
  'changing',
  'fromMemory',
  'aborted',
] as const;
export type Stage = (typeof STAGES)[number];
type Outcome = 'cut' | 'whole';
type Pair = [Client, Client];

/** Conditions on the sessions of the gateway that wait for a lock. */
const WAITING_FOR = {
  admission: `query like '%key_quota%'`,
  usage: `pid in (select pid from pg_locks where not granted and relation = 'usage_daily'::regclass)`,
  change: `query like '%event_once%'`,
};
/** Well below the statement timeout. */
const YOUNG = `query_start > clock_timestamp() - interval '700 ms'`;

interface Surroundings {
  readonly scratch: ScratchDatabase;
  readonly database: Client;
  /** Its transaction holds the locks that the gateway waits for. */
  readonly holder: Client;
  readonly proxy: FaultProxy;
  readonly upstream: ScriptedUpstream;
}

/** A gateway that is killed while the database holds its requests in known stages, and then restarted. */
export class KilledGateway {
  readonly tokensEach = CHAT_USAGE.total_tokens;
  readonly outcomes: Partial<Record<Stage, Outcome>> = {};

  private constructor(
    private readonly around: Surroundings,
    private gateway: GatewayProcess,
    readonly keys: Readonly<Record<Stage, Key>>,
  ) {}

  static async open(): Promise<KilledGateway> {
    const [scratch, upstream] = await Promise.all([createScratchDatabase(), startUpstream()]);
    const proxy = await FaultProxy.start(scratch.url);
    const [database, holder] = [scratch, scratch].map(({ url }) => new Client({ connectionString: url })) as Pair;
    await Promise.all([database.connect(), holder.connect()]);
    const around = { scratch, database, holder, proxy, upstream };
    const gateway = await startGateway(around);
    const keys: Partial<Record<Stage, Key>> = {};
    for (const stage of STAGES) keys[stage] = await gateway.createKey({ monthly_limit: LIMIT });
    return new KilledGateway(around, gateway, keys as Record<Stage, Key>);
  }

  async close(): Promise<void> {
    await GatewayProcess.endAll();
    const { scratch, database, holder, proxy, upstream } = this.around;
    await Promise.all([database.end(), holder.end(), proxy.disconnect(), upstream.stop()]);
    await scratch.drop();
  }

  async killInEveryStage(): Promise<void> {
    const { keys, outcomes } = this;
    const { holder } = this.around;
    await holder.query('begin');
    await holder.query('lock table usage_daily, events in share row exclusive mode');
    await holder.query('select from key_quota where key_id = $1 for update', [keys.admitting.id]);

    await this.served(keys.writing);
    await this.untilWaits('usage');
    // Only one batch is written at a time, so this usage stays in memory.
    await this.served(keys.unwritten);
    const streaming = await this.stream(keys.streaming);
    const waiting = cutOrWhole(this.chat(keys.waiting));
    await until(async () => (await this.figures(keys.waiting)).counted === 1, PLENTY_MS);
    // A statement that waits too long is canceled and retried. The next steps need it while it waits.
    await this.untilWaits('usage', YOUNG);
    const changing = cutOrWhole(this.suspend(keys.changing));
    await this.untilWaits('change');
    const admitting = cutOrWhole(this.chat(keys.admitting));
    await this.untilWaits('admission');

    await this.gateway.kill();
    await holder.query('commit');
    Object.assign(outcomes, { admitting: await admitting, waiting: await waiting, changing: await changing });
    outcomes.streaming = await streaming();
    await this.restart();
  }

  async killWithoutDatabase(): Promise<void> {
    const { keys } = this;
    const { holder, proxy } = this.around;
    await this.served(keys.fromMemory);
    await this.untilUsed(keys.fromMemory, 1);
    await holder.query('begin');
    await holder.query('lock table usage_daily in share row exclusive mode');
    await this.served(keys.aborted);
    await this.untilWaits('usage');
    await proxy.disconnect();
    await this.query(`select pg_terminate_backend(pid, 5000) from pg_stat_activity where ${waitingFor('usage')}`);
    await holder.query('commit');
    await until(async () => (await this.gateway.call('GET', '/health/ready')).body.database === 'away', PLENTY_MS);
    for (let i = 0; i < 2; i++) await this.served(keys.fromMemory);
    await this.gateway.kill();
    await proxy.reconnect();
    await this.restart();
  }

  figures(key: Key): Promise<Figures> {
    return figuresOf((sql, values) => this.query(sql, values), key.id);
  }

  /** Sums the tokens of the month, which are written together with those of the day. */
  async tokens(key: Key): Promise<number> {
    const sql = `select coalesce(sum(input_tokens + output_tokens), 0)::int as sum from usage_monthly where key_id = $1`;
    return (await this.query<{ sum: number }>(sql, [key.id]))[0]!.sum;
  }

  /** Returns the status, events and audit rows of a suspended key. */
  async traces(key: Key): Promise<{ status: string; events: number; audited: number }> {
    const sql = `
      select (select status from api_keys where id::text = $1) as status,
             (select count(*)::int from events where type = 'key_suspended' and data::text like '%' || $1 || '%') as events,
             (select count(*)::int from audit_logs where target_id = $1 and action like '%suspend%') as audited`;
    return (await this.query<{ status: string; events: number; audited: number }>(sql, [key.id]))[0]!;
  }

  /** Returns the number of requests of the key that have reached the upstream. */
  sent(key: Key): number {
    return this.around.upstream.requests.filter(({ body }) => body.includes(key.id)).length;
  }

  chat(key: Key): Promise<Response> {
    return this.gateway.chat(key.key, { user: key.id });
  }

  suspend(key: Key): Promise<Response> {
    return this.gateway.call('POST', `/admin/api-keys/${key.id}/suspend`, { key: ADMIN_KEY });
  }

  async untilUsed(key: Key, requests: number): Promise<void> {
    await until(async () => (await this.figures(key)).used >= requests, PLENTY_MS);
  }

  private async served(key: Key): Promise<void> {
    const { status, text } = await this.chat(key);
    if (status !== 200) throw new Error(`not served: ${status} ${text}`);
  }

  /** Waits for the first event of a stream that never ends. The returned function waits for the end of the connection. */
  private async stream(key: Key): Promise<() => Promise<Outcome>> {
    this.around.upstream.on('POST', '/v1/chat/completions', (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: {"choices":[]}\n\n');
    });
    const response = await fetch(`${this.gateway.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'gpt-4o-mini', stream: true, user: key.id, messages: MESSAGES }),
    });
    const reader = response.body!.getReader();
    await reader.read();
    return () => cutOrWhole(reader.read());
  }

  /** Restarts the gateway once the database server runs no statement of the killed process. */
  private async restart(): Promise<void> {
    this.around.upstream.on('POST', '/v1/chat/completions', respondToChat);
    const busy = `select from pg_stat_activity
                   where datname = current_database() and state <> 'idle' and pid <> pg_backend_pid()`;
    await until(async () => (await this.query(busy)).length === 0, PLENTY_MS);
    this.gateway = await startGateway(this.around);
  }

  private async untilWaits(what: keyof typeof WAITING_FOR, and = 'true'): Promise<void> {
    const sql = `select from pg_stat_activity where ${waitingFor(what)} and ${and}`;
    await until(async () => (await this.query(sql)).length > 0, PLENTY_MS);
  }

  private async query<R extends object>(sql: string, values?: unknown[]): Promise<R[]> {
    return (await this.around.database.query<R>(sql, values)).rows;
  }
}

const MESSAGES = [{ role: 'user', content: 'Hello' }];

const waitingFor = (what: keyof typeof WAITING_FOR): string =>
  `datname = current_database() and wait_event_type = 'Lock' and ${WAITING_FOR[what]}`;

const cutOrWhole = (response: Promise<unknown>): Promise<Outcome> =>
  response.then(
    () => 'whole' as const,
    () => 'cut' as const,
  );

/** Starts it with one upstream connection, so that a second request waits between admission and upstream. */
const startGateway = ({ proxy, upstream }: Surroundings): Promise<GatewayProcess> =>
  GatewayProcess.start({
    DATABASE_URL: proxy.url,
    GW_UPSTREAM_BASE_URL: upstream.url,
    GW_UPSTREAM_CONNECTIONS: '1',
  });
