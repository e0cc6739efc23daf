import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { DataSource } from 'typeorm';
import { Config } from '../../../src/platform/config/config.js';
import type { Key } from '../../support/gateway.js';
import { chatCompletion } from '../../support/scripted-upstream-responses.js';
import type { Script } from '../../../sandbox/src/scripted/scripted-provider.js';
import { startUpstream, type ScriptedUpstream } from '../../support/scripted-upstream.js';
import { until } from '../../support/until.js';
import { RoutedGateway, type RoutedFile } from './routed-gateway.js';

const PATH = '/v1/chat/completions';
const OLD = 'old-credential-of-the-account-0123456789';
const NEW = 'new-credential-of-the-account-9876543210';
const ENV = { OLD_CREDENTIAL: OLD, NEW_CREDENTIAL: NEW };
const MODELS = { models: ['gpt-4o-mini'] };

/** Answers with the credential that it was sent, everywhere where a response can contain it. */
const echo: Script = (request) => {
  const credential = request.header('authorization')!;
  return {
    headers: { 'openai-version': credential, 'x-request-id': credential.slice(7) },
    status: request.json()['user'] === 'fails' ? 400 : 200,
    body:
      request.json()['user'] === 'fails'
        ? { error: { message: `wrong ${credential}` } }
        : chatCompletion('gpt-4o-mini'),
  };
};

describe('a changed file', () => {
  let routed: RoutedGateway;
  let key: Key;
  let moved: ScriptedUpstream;
  beforeAll(async () => {
    const names = ['first', 'second', 'third'];
    const providers = new Map(await Promise.all(names.map(async (name) => [name, await startUpstream()] as const)));
    moved = await startUpstream();
    routed = await RoutedGateway.start(
      {
        upstreams: [
          { name: 'first', ...MODELS },
          { name: 'second', ...MODELS },
        ],
      },
      ENV,
      { providers },
    );
    key = await routed.gateway.createKey();
  });
  beforeEach(() => {
    for (const name of ['first', 'second', 'third']) routed.provider(name).reset();
  });
  afterAll(async () => {
    await routed.stop();
    await moved.stop();
  });

  const secondHas = (fields: object, rest: Partial<RoutedFile> = {}): RoutedFile => ({
    upstreams: [
      { name: 'first', ...MODELS },
      { name: 'second', ...MODELS, ...fields },
    ],
    routes: [{ models: '*', upstreams: ['second', 'first'] }],
    ...rest,
  });
  const third = { name: 'third', ...MODELS };
  const changes: readonly (readonly [string, () => RoutedFile])[] = [
    ['another order', () => secondHas({})],
    ['fewer connections', () => secondHas({ connections: 64 })],
    ['a credential', () => secondHas({ connections: 64, credential: { env: 'OLD_CREDENTIAL' } })],
    ['another credential', () => secondHas({ connections: 64, credential: { env: 'NEW_CREDENTIAL' } })],
    ['another base URL', () => secondHas({ base_url: moved.url, connections: 64 })],
    [
      'other timeouts and headers',
      () => secondHas({ base_url: moved.url, timeouts: { connect_ms: 4_000 }, headers: { 'X-A': 'b' } }),
    ],
    ['a third upstream', () => ({ upstreams: [third, { name: 'first', ...MODELS }, { name: 'second', ...MODELS }] })],
    [
      'weights',
      () => ({
        upstreams: [third, { name: 'first', ...MODELS }],
        routes: [
          {
            models: 'gpt-*',
            upstreams: [
              { name: 'first', weight: 1 },
              { name: 'third', weight: 1 },
            ],
          },
        ],
      }),
    ],
    ['one upstream less', () => ({ upstreams: [third] })],
    [
      'the first state',
      () => ({
        upstreams: [
          { name: 'first', ...MODELS },
          { name: 'second', ...MODELS },
        ],
      }),
    ],
  ];

  test('a changed file fails no request, regardless of what changes while 50 clients send requests', async () => {
    let stopped = false;
    const failed: string[] = [];
    const served: Record<string, number> = {};
    let count = 0;
    const client = async (at: number) => {
      while (!stopped) {
        const stream = at % 2 === 0;
        const response = await routed.gateway.chat(key, { stream });
        count += 1;
        const name = response.headers.get('x-gw-upstream')!;
        served[name] = (served[name] ?? 0) + 1;
        if (response.status !== 200 || !response.text.endsWith(stream ? '[DONE]\n\n' : '}'))
          failed.push(`${response.status} ${response.text}`);
      }
    };
    const clients = Array.from({ length: 50 }, (_, at) => client(at));
    for (const [, file] of changes) {
      const before = count;
      await until(() => count > before + 50);
      routed.reload(file());
    }
    stopped = true;
    await Promise.all(clients);
    expect(failed).toEqual([]);
    expect(Object.keys(served).sort()).toEqual(['first', 'second', 'third']);
    expect(moved.requests.length).toBeGreaterThan(50);
    await routed.idle();
  });

  test('a changed file takes effect for the next request', async () => {
    for (const [, file] of changes) {
      routed.reload(file());
      const { upstreams, routes } = file() as { upstreams: { name: string }[]; routes?: { upstreams: unknown[] }[] };
      const weighted = typeof routes?.[0]?.upstreams[0] === 'object';
      const expected = weighted
        ? expect.stringMatching(/^(first|third)$/)
        : (routes?.[0]?.upstreams[0] ?? upstreams[0]!.name);
      const response = await routed.gateway.chat(key);
      expect([response.status, response.headers.get('x-gw-upstream')]).toEqual([200, expected]);
    }
  });

  test('a reload closes the idle connections of a removed upstream, and the others after their request', async () => {
    routed.reload({ upstreams: [third, { name: 'first', ...MODELS }] });
    const provider = routed.provider('third');
    provider.reset();
    let finish = () => {};
    provider.on('POST', PATH, (_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: 1\n\n');
      finish = () => response.end('data: [DONE]\n\n');
    });
    const running = routed.gateway.chat(key, { stream: true });
    await provider.received(0, `POST ${PATH}`);
    provider.on('POST', PATH, () => ({ body: chatCompletion('gpt-4o-mini') }));
    await Promise.all(Array.from({ length: 5 }, () => routed.gateway.chat(key)));
    expect(provider.connections).toBeGreaterThan(1);
    routed.reload({ upstreams: [{ name: 'first', ...MODELS }] });
    await until(() => provider.connections === 1);
    finish();
    const received = await running;
    expect([received.status, received.headers.get('x-gw-upstream'), received.text]).toEqual([
      200,
      'third',
      'data: 1\n\ndata: [DONE]\n\n',
    ]);
    await until(() => provider.connections === 0);
  });

  test('a reload keeps the connections of an upstream whose credential changes', async () => {
    routed.reload(secondHas({ credential: { env: 'OLD_CREDENTIAL' } }));
    await routed.gateway.chat(key);
    const { server } = routed.upstream('second');
    routed.reload(secondHas({ credential: { env: 'NEW_CREDENTIAL' } }));
    expect(routed.upstream('second').server).toBe(server);
    routed.reload(secondHas({ connections: 7 }));
    expect(routed.upstream('second').server).not.toBe(server);
  });

  test('a reload redacts the old and the new credential in responses that echo them', async () => {
    routed.reload(secondHas({ credential: { env: 'OLD_CREDENTIAL' } }));
    const provider = routed.provider('second');
    provider.reset();
    const waiting: (() => void)[] = [];
    provider.on('POST', PATH, async (request, response) => {
      await new Promise<void>((resolve) => waiting.push(resolve));
      return echo(request, response);
    });
    const old = [routed.gateway.chat(key), routed.gateway.chat(key, { user: 'fails' })];
    await provider.received(1, `POST ${PATH}`);
    routed.reload(secondHas({ credential: { env: 'NEW_CREDENTIAL' } }));
    const recent = [routed.gateway.chat(key), routed.gateway.chat(key, { user: 'fails' })];
    await provider.received(3, `POST ${PATH}`);
    await until(() => waiting.length === 4);
    for (const release of waiting) release();
    const responses = await Promise.all([...old, ...recent]);
    expect(responses.map(({ status }) => status)).toEqual([200, 502, 200, 502]);
    const sent = provider.requests.map((request) => request.header('authorization'));
    expect([...sent].sort()).toEqual([`Bearer ${NEW}`, `Bearer ${NEW}`, `Bearer ${OLD}`, `Bearer ${OLD}`]);
    for (const { text, headers } of responses) {
      const shown = JSON.stringify([text, [...headers]]);
      expect([shown.includes(OLD), shown.includes(NEW)]).toEqual([false, false]);
    }
  });

  test('a changed file has one audit row with the names of what has changed, and no secret', async () => {
    const source = routed.gateway.app.get(DataSource);
    const rows = () =>
      source.query<{ metadata: Record<string, unknown> }[]>(
        `select metadata from audit_logs where action = 'upstreams.loaded' order by created_at`,
      );
    routed.reload({
      upstreams: [
        { name: 'first', ...MODELS },
        { name: 'second', ...MODELS, credential: { env: 'OLD_CREDENTIAL' } },
      ],
    });
    const isWritten = async () => {
      const [row] = await source.query<{ digest: string }[]>('select digest from upstream_files');
      return row?.digest === routed.gateway.app.get(Config).upstreams!.file.digest;
    };
    await until(isWritten);
    const before = (await rows()).length;
    routed.reload({
      upstreams: [third, { name: 'second', ...MODELS, credential: { env: 'NEW_CREDENTIAL' } }],
      routes: [{ models: '*', upstreams: ['third'] }],
    });
    await until(isWritten);
    const added = (await rows()).slice(before);
    expect(added.map(({ metadata }) => metadata)).toEqual([
      expect.objectContaining({ added: ['third'], removed: ['first'], changed: ['second'] }),
    ]);
    expect([JSON.stringify(added).includes(OLD), JSON.stringify(added).includes(NEW)]).toEqual([false, false]);
  });

  test('a file that changes several times in quick succession is recorded without repeating a change', async () => {
    const source = routed.gateway.app.get(DataSource);
    const isWritten = async () => {
      const [row] = await source.query<{ digest: string }[]>('select digest from upstream_files');
      return row?.digest === routed.gateway.app.get(Config).upstreams!.file.digest;
    };
    await until(isWritten);
    const from = new Date();
    const names = ['first', 'second', 'third'];
    routed.reload({ upstreams: [{ name: 'first', ...MODELS }] });
    await until(isWritten);
    for (let count = 1; count <= 3; count++)
      routed.reload({ upstreams: names.slice(0, count).map((name) => ({ name, ...MODELS, region: 'eu' })) });
    await until(isWritten);
    const rows = await source.query<{ metadata: { added: string[] } }[]>(
      `select metadata from audit_logs where action = 'upstreams.loaded' and created_at > $1 order by created_at`,
      [from],
    );
    expect(rows.slice(1).flatMap(({ metadata }) => metadata.added)).toEqual(['second', 'third']);
  });
});
