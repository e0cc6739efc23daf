import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { DataSource } from 'typeorm';
import { ERROR_CODES } from '../../../src/platform/errors/error-code.data.js';
import type { RequestContext } from '../../../src/platform/request-context/request-context.js';
import { RequestRecorder } from '../../../src/stats/request-recorder.service.js';
import { StatsWriter } from '../../../src/stats/stats-writer.service.js';
import { UpstreamClient } from '../../../src/upstream/upstream-client.js';
import { describeInOrder } from '../../support/describe-in-order.js';
import { until } from '../../support/until.js';
import { startGateway } from '../../support/ready-gateway.js';
import { chatRequest, Wire, type WireResponse } from '../../support/wire.js';
import { documentOf } from '../../support/openapi-document.js';
import { enabledRoutes } from '../../support/enabled-routes.js';
import { heldBytes } from '../../support/held-bytes.js';
import { ADMIN_KEY, UPSTREAM_KEY, type Key, type TestGateway } from '../../support/gateway.js';
import { CaseUpstream } from './case-upstream.js';
import { Dice } from '../../fuzz/dice.js';
import { CASES, Prototypes, SEED } from '../../fuzz/fuzz.js';
import { HttpCases, type HttpCase } from './http-cases.js';
import { mutateBytes } from '../../fuzz/mutate.js';

/** Requests with valid framing, pipelined over persistent connections. */
const FRAMED = Math.ceil(CASES * 0.045);
const MUTATED = Math.ceil(CASES * 0.01);
const WARM_UP = 600;
const LANES = 24;
const PIPELINED_MAX = 8;
const RESPONSE_MS_MAX = 20_000;
const HELD_BYTES_MAX = 48 * 1024 * 1024;

let upstream: CaseUpstream;
let gateway: TestGateway;
let cases: HttpCases;
let callers: Key[];
/** The number of requests by key that had passed stage 6 when they ended, as the gateway recorded them. */
const admitted = new Map<string, number>();
/** Requests whose client disconnected before they were admitted or rejected. The gateway can still admit them afterwards. */
const abandonedRequests: RequestContext[] = [];

beforeAll(async () => {
  upstream = new CaseUpstream();
  gateway = await startGateway({
    GW_UPSTREAM_BASE_URL: await upstream.start(),
    GW_LOG_SAMPLE_RATE: '0.01',
    GW_HEAD_TIMEOUT_MS: '1000',
    GW_BODY_IDLE_TIMEOUT_MS: '300',
  });
  callers = await Promise.all([{}, {}, { allowed_models: ['gpt-4o-mini'] }].map((fields) => gateway.createKey(fields)));
  const victims = await Promise.all(Array.from({ length: 5 }, () => gateway.createKey()));
  const routes = enabledRoutes(gateway.app);
  cases = new HttpCases(routes, await documentOf(gateway), {
    callers: callers.map(({ key }) => key),
    victims: victims.map(({ id }) => id),
    adminKey: ADMIN_KEY,
  });
  countAdmissions();
});
afterAll(async () => {
  await gateway.stop();
  await upstream.stop();
});

function countAdmissions(): void {
  const recorder = gateway.app.get(RequestRecorder);
  const record = recorder.record.bind(recorder);
  recorder.record = (ctx, ...rest) => {
    if (ctx.key !== null && ctx.admitted) admitted.set(ctx.key.id, (admitted.get(ctx.key.id) ?? 0) + 1);
    else if (ctx.response.abandoned) abandonedRequests.push(ctx);
    record(ctx, ...rest);
  };
}

const statuses = new Map<number, number>();

/** Expects a documented response, with the standard envelope if it is an error. */
function expectPromised({ status, headers, text }: WireResponse, what: string): void {
  statuses.set(status, (statuses.get(status) ?? 0) + 1);
  const fail = (why: string): never => {
    throw new Error(`FUZZ_SEED=${SEED}, ${what}: ${why}: ${status} ${text.slice(0, 500)}`);
  };
  if (headers['x-request-id'] === undefined) fail('no request ID');
  if (status < 300) return;
  if (status < 400) return void (/^\/(docs|dashboard)/.test(what.split(' ')[3] ?? '') || fail('a redirect'));
  let error: Record<string, unknown> = {};
  try {
    ({ error } = JSON.parse(text) as { error: Record<string, unknown> });
  } catch {
    fail('no envelope');
  }
  const known = ERROR_CODES[error['code'] as keyof typeof ERROR_CODES] as { status: number; type: string } | undefined;
  if (known === undefined || known.status !== status || known.type !== error['type']) fail('an unknown code');
  const { details, ...single } = error;
  if (Object.keys(single).sort().join() !== 'code,message,param,request_id,type') fail('unexpected fields');
  const isListed = Array.isArray(details) && details.length > 1 && error['code'] === 'validation_error';
  if (details !== undefined && !isListed) fail('unexpected details');
  if (error['request_id'] !== headers['x-request-id']) fail('a different request ID');
  if (error['code'] === 'internal_error') fail('an internal error');
  if (error['code'] === 'validation_error' && typeof error['param'] !== 'string') fail('no param');
  if ((status === 429 || status === 503) && headers['retry-after'] === undefined) fail('no Retry-After');
}

const describeCase = ({ number, method, path }: HttpCase): string => `case ${number}: ${method} ${path}`;

/** Sends the cases from `from` to `to` - 1 over persistent connections. Expects each response to belong to its request. */
async function sendAll(from: number, to: number): Promise<void> {
  let next = from;
  const lane = async (at: number): Promise<void> => {
    const dice = new Dice(SEED, at, 13);
    let wire = await Wire.open(gateway.port);
    while (next < to) {
      const count = Math.min(1 + dice.int(PIPELINED_MAX), to - next);
      const batch = Array.from({ length: count }, () => cases.make(next++));
      if (await exchange(wire, batch)) continue;
      wire.close();
      wire = await Wire.open(gateway.port);
    }
    wire.close();
  };
  await Promise.all(Array.from({ length: LANES }, (_, at) => lane(at)));
}

/** @returns false if the connection was closed; the remaining requests of the batch then have no response */
async function exchange(wire: Wire, batch: readonly HttpCase[]): Promise<boolean> {
  wire.write(Buffer.concat(batch.map(({ bytes }) => bytes)));
  for (const one of batch) {
    const response = await inTime(wire.response()).catch((error: unknown) => error as Error);
    if (response instanceof Error) {
      if (upstream.seen.get(one.number)?.cut !== true)
        throw new Error(`FUZZ_SEED=${SEED}, ${describeCase(one)}: ${one.bytes.toString('latin1')}`, {
          cause: response,
        });
      return false;
    }
    expectPromised(response, describeCase(one));
    expectForwarded(one, response);
    if (response.headers['connection'] === 'close') return false;
  }
  return true;
}

/** Expects that body and response pass unchanged, and that the upstream receives the account's credential. */
function expectForwarded(one: HttpCase, { status, text }: WireResponse): void {
  const seen = upstream.seen.get(one.number);
  upstream.seen.delete(one.number);
  const problems: string[] = [];
  if (seen === undefined) return;
  if (status >= 400 && status < 500) problems.push(`rejected with ${status}, but forwarded`);
  const isRewritten = one.path.startsWith('/v1/completions') || /betas|\\u/.test(one.body.toString('latin1'));
  // Routes without a body discard one that is sent.
  const isDiscarded = one.method !== 'POST' && seen.body.length === 0;
  if (!isRewritten && !isDiscarded && !seen.body.equals(one.body))
    problems.push(`a different body: ${seen.body.toString('latin1')}`);
  if (seen.headers.authorization !== `Bearer ${UPSTREAM_KEY}`) problems.push('a different credential');
  if (seen.headers.cookie !== undefined || !seen.target.startsWith('/v1/'))
    problems.push('a cookie or a foreign target was forwarded');
  if (status === 200 && !one.path.startsWith('/v1/completions') && text !== seen.answered?.toString())
    problems.push('a response that differs from the upstream’s');
  if (problems.length > 0) throw new Error(`FUZZ_SEED=${SEED}, ${describeCase(one)}: ${problems.join('; ')}`);
}

/** The last two tests check the effects of the first two. */
describeInOrder('valid and mutated requests to every route', () => {
  const prototypes = new Prototypes();
  let held = 0;
  let sockets = 0;

  test(`every pipelined request gets a documented response (${FRAMED} cases)`, async () => {
    await sendAll(0, Math.min(WARM_UP, FRAMED));
    [held, sockets] = [heldBytes(), openSockets()];
    await sendAll(Math.min(WARM_UP, FRAMED), FRAMED);
    expect(upstream.repeated).toEqual([]);
    // Each status must be frequent enough, otherwise the cases prove little.
    for (const status of [200, 400, 401, 403, 404, 502]) expect(statuses.get(status)).toBeGreaterThan(FRAMED / 500);
    expect(statuses.get(503) ?? 0).toBeLessThan(FRAMED / 100);
    expect(upstream.met.size).toBeGreaterThan(FRAMED / 20);
  }, 900_000);

  test(`every request with mutated bytes gets a response before its connection ends (${MUTATED} cases)`, async () => {
    const key = callers[0]!.key;
    const chat = '{"model":"gpt-4o-mini","messages":[{"role":"user","content":"Hello"}]}';
    const sources = [
      chatRequest(key, chat),
      `${chatRequest(key, chat)}GET /v1/models HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n\r\n`,
      `POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n${chat.length.toString(16)}\r\n${chat}\r\n0\r\n\r\n`,
      'GET /health HTTP/1.1\r\nHost: x\r\nConnection: keep-alive\r\n\r\n',
      `GET /admin/api-keys?limit=1 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${ADMIN_KEY}\r\n\r\n`,
    ].map((text) => Buffer.from(text));
    let next = 0;
    const lane = async () => {
      while (next < MUTATED) {
        const at = next++;
        const dice = new Dice(SEED, at, 17);
        const bytes = mutateBytes(dice, dice.pick(sources));
        const response = await inTime(Wire.once(gateway.port, bytes)).catch((error: unknown) => {
          throw new Error(`FUZZ_SEED=${SEED}, bytes ${at}: ${JSON.stringify(bytes.toString('latin1'))}`, {
            cause: error,
          });
        });
        if (response.status !== 100)
          expectPromised(response, `bytes ${at}: ${JSON.stringify(bytes.toString('latin1'))}`);
      }
    };
    await Promise.all(Array.from({ length: 200 }, lane));
  }, 600_000);

  test('exactly the admitted requests are counted in quota and usage', async () => {
    const [database, writer] = [gateway.app.get(DataSource), gateway.app.get(StatsWriter)];
    for (const { id } of callers) {
      const counted = async () =>
        (await gateway.admin<KeyQuota>('GET', `/admin/api-keys/${id}/quota`)).body.current.day.count;
      const judgedLate = () => abandonedRequests.filter((ctx) => ctx.admitted && ctx.key?.id === id).length;
      await until(async () => (await counted()) === admitted.get(id)! + judgedLate());
      await until(async () => {
        await writer.flush();
        const rows = await database.query<{ n: string }[]>(
          'select sum(requests) n from usage_daily where key_id = $1',
          [id],
        );
        return Number(rows[0]?.n) === (await counted());
      });
    }
    expect([...admitted.values()].reduce((sum, one) => sum + one, 0)).toBeGreaterThanOrEqual(upstream.met.size);
  });

  test('prototypes are unchanged, all resources are released, and the next request is served', async () => {
    prototypes.mustBeUntouched();
    const { permits } = gateway.app.get(UpstreamClient).all[0]!;
    await until(() => permits.free === 4096 && permits.waiting === 0);
    await until(() => openSockets() <= sockets + 10);
    expect((await gateway.chat(callers[0]!.key)).status).toBe(200);
    expect(heldBytes() - held).toBeLessThan(HELD_BYTES_MAX);
  });
});

interface KeyQuota {
  readonly current: { readonly day: { readonly count: number } };
}

/** Rejects if no response arrives, so that the failure names its case. */
async function inTime<T>(response: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const silence = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('no response')), RESPONSE_MS_MAX);
  });
  return Promise.race([response, silence]).finally(() => clearTimeout(timer));
}

const openSockets = (): number => process.getActiveResourcesInfo().filter((kind) => kind === 'TCPSocketWrap').length;
