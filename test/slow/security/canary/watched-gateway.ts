import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { Receiver } from '../../../support/webhook-receiver.js';
import { startReceiver, type OtlpReceiver } from '../../../support/otlp-receiver.js';
import { GatewayProcess } from '../../../support/gateway-process.js';
import { createScratchDatabase, type ScratchDatabase } from '../../../support/scratch-database.js';
import { startUpstream, type ScriptedUpstream } from '../../../support/scripted-upstream.js';
import { Canaries, randomText } from '../../../security/canary/canaries.js';

/** A response, and the canaries that it can contain. */
interface WatchedResponse {
  readonly name: string;
  readonly status: number;
  readonly text: string;
  readonly headers: Headers;
  readonly shows: readonly string[];
}

interface Sent {
  readonly headers?: Readonly<Record<string, string>>;
  /** Objects are sent as JSON, strings unchanged. */
  readonly body?: unknown;
  /** Names of the canaries that the response must contain. */
  readonly shows?: readonly string[];
}

interface Surroundings {
  readonly upstream: ScriptedUpstream;
  readonly receiver: Receiver;
  readonly traces: OtlpReceiver;
  readonly scratch: ScratchDatabase;
}

/** A gateway process whose every secret is a canary, together with every place where it could leave a trace. */
export class WatchedGateway {
  readonly responses: WatchedResponse[] = [];
  metrics = '';
  rows = '';
  readonly upstream: ScriptedUpstream;
  readonly receiver: Receiver;
  readonly traces: OtlpReceiver;
  private readonly scratch: ScratchDatabase;

  private constructor(
    readonly canaries: Canaries,
    readonly secrets: ReturnType<typeof plantSecrets>,
    readonly process: GatewayProcess,
    { upstream, receiver, traces, scratch }: Surroundings,
  ) {
    [this.upstream, this.receiver, this.traces, this.scratch] = [upstream, receiver, traces, scratch];
  }

  static async start(): Promise<WatchedGateway> {
    const canaries = new Canaries();
    const secrets = plantSecrets(canaries);
    const [upstream, receiver, traces, scratch] = await Promise.all([
      startUpstream(),
      Receiver.start(),
      startReceiver(),
      createScratchDatabase(),
    ]);
    const process = await GatewayProcess.start({
      DATABASE_URL: withPassword(scratch.url, canaries),
      GW_UPSTREAM_BASE_URL: upstream.url,
      GW_ADMIN_KEY: secrets.adminKey,
      GW_SECRET_KEY: secrets.secretKey,
      GW_UPSTREAM_API_KEY: secrets.upstreamKey,
      GW_UPSTREAM_MESSAGES_API_KEY: secrets.messagesKey,
      GW_OWNER_EMAIL: OWNER_EMAIL,
      GW_OWNER_PASSWORD: secrets.ownerPassword,
      GW_METRICS_PORT: '0',
      OTEL_EXPORTER_OTLP_ENDPOINT: traces.url,
      OTEL_TRACES_SAMPLER: 'always_on',
      LOG_LEVEL: 'debug',
      GW_ACCESS_LOG_RATE: '1',
      GW_LOG_SAMPLE_RATE: '1',
      GW_WEBHOOK_ALLOW_PRIVATE: 'true',
    });
    return new WatchedGateway(canaries, secrets, process, { upstream, receiver, traces, scratch });
  }

  get port(): number {
    return Number(new URL(this.process.url).port);
  }

  /** @throws if the status differs from the one in `name`, because a request that misses its route proves nothing */
  async send(name: string, method: string, path: string, sent: Sent = {}): Promise<WatchedResponse> {
    const { headers = {}, body, shows = [] } = sent;
    const response = await fetch(this.process.url + path, {
      method,
      headers: { ...(typeof body === 'object' ? { 'content-type': 'application/json' } : {}), ...headers },
      body: typeof body === 'object' ? JSON.stringify(body) : (body as string | undefined),
    });
    return this.record({
      name,
      status: response.status,
      headers: response.headers,
      text: await response.text(),
      shows,
    });
  }

  record(response: WatchedResponse): WatchedResponse {
    if (!response.name.startsWith(`${response.status} `))
      throw new Error(`${response.name}: ${response.status} ${response.text}`);
    this.responses.push(response);
    return response;
  }

  admin(name: string, method: string, path: string, sent: Sent = {}): Promise<WatchedResponse> {
    const authorization = `Bearer ${this.secrets.adminKey}`;
    return this.send(name, method, `/admin${path}`, { ...sent, headers: { authorization, ...sent.headers } });
  }

  /** Stops the gateway, so that it writes everything that it buffers, and reads its metrics and rows. */
  async finish(): Promise<void> {
    const [, metricsUrl] = /^ *Metrics +(http:\S+)$/m.exec(this.process.stdout)!;
    this.metrics = await (await fetch(metricsUrl!)).text();
    const { code } = await this.process.stop();
    if (code !== 0) throw new Error(`The gateway exited with code ${code}:\n${this.process.stderr}`);
    this.rows = (await rowsOf(this.scratch.url)).join('\n');
  }

  async release(): Promise<void> {
    await GatewayProcess.endAll();
    await Promise.all([this.upstream.stop(), this.receiver.stop(), this.traces.stop()]);
    await this.scratch.drop();
  }
}

export const OWNER_EMAIL = 'owner@example.com';

/** Characters that must be escaped in JSON and in URLs. */
const AWKWARD = 'Aa1/+=&"\\';

function plantSecrets(canaries: Canaries) {
  const bytes = canaries.plant('GW_SECRET_KEY, its bytes', randomBytes(32));
  return {
    adminKey: canaries.plant('the admin key', `admin_gw_${randomText()}`),
    secretKey: canaries.plant('GW_SECRET_KEY', bytes.toString('base64')),
    upstreamKey: canaries.plant("the account's key", AWKWARD + randomText()),
    messagesKey: canaries.plant("the account's key for messages", AWKWARD + randomText()),
    ownerPassword: canaries.plant("the owner's password", AWKWARD + randomText()),
  };
}

/** Adds a password to a URL without one. A database server that trusts local connections accepts any password. */
function withPassword(databaseUrl: string, canaries: Canaries): string {
  const url = new URL(databaseUrl);
  if (url.password === '') url.password = canaries.plant("the database's password", randomText());
  return url.href;
}

/** Returns every row of every table. Bytes appear as hexadecimal digits and as text. */
async function rowsOf(databaseUrl: string): Promise<string[]> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  const tables = await client.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
     where schemaname not in ('pg_catalog', 'information_schema')`,
  );
  const rows: string[] = [];
  for (const { name } of tables.rows) {
    const found = await client.query<{ text: string }>(`select to_jsonb(t)::text as text from ${name} t`);
    rows.push(...found.rows.map(({ text }) => `${name} ${text} ${bytesIn(text)}`));
  }
  await client.end();
  return rows;
}

const bytesIn = (row: string): string =>
  [...row.matchAll(/\\\\x([0-9a-f]+)/g)].map(([, hex]) => Buffer.from(hex!, 'hex').toString('latin1')).join(' ');
