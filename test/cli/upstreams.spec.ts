import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { DataSource } from 'typeorm';
import { DAY_MS, dateOf, insertRows } from '../support/cost-rows.js';
import { TestGateway } from '../support/gateway.js';
import { createScratchDatabase, type ScratchDatabase } from '../support/scratch-database.js';
import { startUpstream, type ScriptedUpstream } from '../support/scripted-upstream.js';
import { connect } from '../support/stats-database.js';
import { until } from '../support/until.js';
import { listsOnly, UpstreamsFile } from '../support/upstreams-file.js';
import { cli, cliJson, cliProcess } from './command.js';

const SECRET = 'secret-of-the-second-upstream';
const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

let first: ScriptedUpstream;
let second: ScriptedUpstream;
let scratch: ScratchDatabase;
let file: UpstreamsFile;
let env: Record<string, string>;
let source: DataSource;
beforeAll(async () => {
  [first, second, scratch] = await Promise.all([startUpstream(), startUpstream(), createScratchDatabase()]);
  file = new UpstreamsFile({
    upstreams: [
      { name: 'first', base_url: first.url, region: 'eu-west-1', tags: ['production', 'fast'] },
      {
        name: 'second',
        base_url: second.url,
        apis: ['openai', 'anthropic'],
        aliases: { fast: 'gpt-4o-mini' },
        credential: { env: 'SECOND_KEY' },
      },
    ],
    routes: [{ models: 'gpt-*', upstreams: ['second', 'first'] }],
  });
  env = { ...file.env, DATABASE_URL: scratch.url, SECOND_KEY: SECRET };
  expect((await cli(['migrate'], { env })).code).toBe(0);
  source = await connect(scratch.url);
});
beforeEach(async () => {
  for (const provider of [first, second]) provider.reset();
  await source.query('delete from upstream_drains');
});
afterAll(async () => {
  await source.destroy();
  await scratch.drop();
  await Promise.all([first.stop(), second.stop()]);
  file[Symbol.dispose]();
});

describe('upstream list', () => {
  test('shows the settings of each upstream in the order of the file, without a credential', async () => {
    const { code, body } = await cliJson(['upstream', 'list'], { env });
    expect([code, body]).toEqual([
      0,
      {
        total: 2,
        has_more: false,
        upstreams: [
          {
            name: 'first',
            base_url: first.url,
            apis: ['openai'],
            region: 'eu-west-1',
            tags: ['production', 'fast'],
            aliases: {},
            draining_since: null,
            input_tokens: 0,
            cached_tokens: 0,
          },
          {
            name: 'second',
            base_url: second.url,
            apis: ['openai', 'anthropic'],
            region: null,
            tags: [],
            aliases: { fast: 'gpt-4o-mini' },
            draining_since: null,
            input_tokens: 0,
            cached_tokens: 0,
          },
        ],
      },
    ]);
    const { stdout } = await cli(['upstream', 'list'], { env });
    expect(stdout).toMatch(
      /^NAME +APIS +BASE URL +DRAINING SINCE +REGION +TAGS +ALIASES +CACHE HITS\nfirst +openai +http/,
    );
    expect(stdout).toMatch(/^second .* fast=gpt-4o-mini +-\n/m);
    expect(stdout + JSON.stringify(body)).not.toContain(SECRET);
  });

  test('shows the cache hits of the last seven days', async () => {
    const row = { keyId: randomUUID(), model: 'gpt-4o-mini', endpoint: '', provider: 'second' };
    const counts = { requests: 1, unpriced: 0, estimated: 0, nanos: 0n, backfilled: false };
    const daysAgo = (days: number, units: number) => ({
      ...row,
      ...counts,
      day: dateOf(Date.now() - days * DAY_MS),
      units,
    });
    // Seven kinds of input tokens are stored, of which two were read from a cache.
    await insertRows(source, [daysAgo(0, 100), daysAgo(5, 50), daysAgo(8, 1_000)]);
    const { stdout } = await cli(['upstream', 'list'], { env });
    const { body } = await cliJson<{ upstreams: object[] }>(['upstream', 'list'], { env });
    await source.query('delete from cost_daily');
    expect(stdout).toMatch(/^first .* -\n/m);
    expect(stdout).toMatch(/^second .* 28\.6%\n/m);
    expect(body.upstreams).toMatchObject([{ cached_tokens: 0 }, { input_tokens: 7 * 150, cached_tokens: 2 * 150 }]);
  });

  test('shows the single account if GW_UPSTREAMS is not set', async () => {
    const { code, stdout } = await cli(['upstream', 'list'], { env: { DATABASE_URL: scratch.url } });
    expect([code, stdout]).toEqual([
      0,
      'GW_UPSTREAMS is not set, so there is a single account. The command "doctor" tests it.\n',
    ]);
  });
});

describe('upstream test', () => {
  test('tests all upstreams with their credentials, and succeeds if all respond', async () => {
    listsOnly(first, 'a', 'b');
    const { code, body } = await cliJson<{ upstreams: object[] }>(['upstream', 'test'], { env });
    expect([code, body]).toMatchObject([
      0,
      {
        ok: true,
        upstreams: [
          { name: 'first', ok: true, status: 200, latency_ms: expect.any(Number), models: 2 },
          { name: 'second', ok: true, status: 200 },
        ],
      },
    ]);
    expect(second.requests.map((request) => request.header('authorization'))).toEqual([`Bearer ${SECRET}`]);
  });

  test('exits with 1 if one upstream fails, and names it', async () => {
    second.on('GET', '/v1/models', () => ({ status: 401, body: { error: { message: SECRET } } }));
    const { code, stdout } = await cli(['upstream', 'test'], { env });
    expect(code).toBe(1);
    expect(stdout).toMatch(/^first +ok +200 /m);
    expect(stdout).toMatch(/^second +FAIL +401 .* The provider rejects the credential \(401\)\.\n/m);
    expect(stdout).not.toContain(SECRET);
  });

  test('tests only the named upstream, and rejects an unknown name', async () => {
    const { code, body } = await cliJson<{ upstreams: object[] }>(['upstream', 'test', 'first'], { env });
    expect([code, body.upstreams]).toMatchObject([0, [{ name: 'first' }]]);
    expect(second.requests).toEqual([]);
    expect(await cliJson(['upstream', 'test', 'third'], { env })).toMatchObject({
      code: 1,
      failed: true,
      body: { error: { code: 'not_found', message: 'Upstream not found' } },
    });
  });

  test('the process ends although a provider keeps its connection open', async () => {
    expect(await cliProcess(['upstream', 'test'], { env })).toMatchObject({ code: 0, stderr: '' });
  });
});

describe('upstream drain and resume', () => {
  test('a running gateway follows the commands', async () => {
    const gateway = await TestGateway.start(env, { upstream: first, databaseUrl: scratch.url });
    const status = async () => (await gateway.admin('GET', '/admin/upstreams/first')).body['status'];
    expect(await cliJson(['upstream', 'drain', 'first'], { env })).toMatchObject({
      code: 0,
      body: { name: 'first', draining_since: TIME },
    });
    await until(async () => (await status()) === 'draining');
    const { stdout } = await cli(['upstream', 'list'], { env });
    expect(stdout).toMatch(/^first +openai +\S+ +\d{4}-\d\d-\d\d \d\d:\d\dZ /m);
    expect(await cli(['upstream', 'resume', 'first'], { env })).toMatchObject({
      code: 0,
      stdout: 'Upstream "first" is not draining. It gets new requests.\n',
    });
    await until(async () => (await status()) === 'ready');
    await gateway.stop();
  });

  test('each change writes an audit row of the command line', async () => {
    await source.query('truncate audit_logs');
    for (const action of ['drain', 'drain', 'resume']) await cli(['upstream', action, 'second'], { env });
    const rows = await source.query<{ action: string; via: string }[]>(
      `select action, metadata->>'via' as via from audit_logs where target_id = 'second' order by created_at`,
    );
    expect(rows).toEqual([
      { action: 'upstream.drained', via: 'cli' },
      { action: 'upstream.resumed', via: 'cli' },
    ]);
  });

  test.each(['drain', 'resume'])('%s rejects an unknown name', async (action) => {
    const { code, body } = await cliJson(['upstream', action, 'third'], { env });
    expect([code, body]).toMatchObject([1, { error: { code: 'not_found' } }]);
  });
});

describe('upstream check', () => {
  test('accepts the GW_UPSTREAMS file without a database', async () => {
    const { code, stdout } = await cli(['upstream', 'check'], { env: { GW_UPSTREAMS: file.path, SECOND_KEY: SECRET } });
    expect([code, stdout]).toEqual([
      0,
      `${file.path} has 2 upstreams (first, second) and 1 route. No problems found.\n`,
    ]);
  });

  test('prints every problem of a named file with its place, and exits with 1', async () => {
    using wrong = new UpstreamsFile('upstreams:\n  - name: Wrong!\n    base_url: nowhere\nroutes: 7\n');
    const { code, body } = await cliJson<{ ok: boolean; problems: string[] }>(['upstream', 'check', wrong.path]);
    expect([code, body.ok]).toEqual([1, false]);
    expect(body.problems.map((problem) => problem.slice(wrong.path.length).split(': ')[0])).toEqual([
      ':2:11',
      ':3:15',
      ':4:9',
    ]);
    const { stdout } = await cli(['upstream', 'check', wrong.path]);
    expect(stdout).toBe(`${body.problems.join('\n')}\n\n3 problems found.\n`);
  });

  test('reports a missing secret by the name of its variable', async () => {
    const { code, stdout } = await cli(['upstream', 'check'], { env: { GW_UPSTREAMS: file.path } });
    expect([code, stdout]).toMatchObject([1, expect.stringContaining('names SECOND_KEY, which is unset or empty')]);
  });

  test('`upstream check` needs a file', async () => {
    const { code, body } = await cliJson<{ error: object }>(['upstream', 'check']);
    expect([code, body.error]).toMatchObject([2, { code: 'usage' }]);
  });
});

test('request show prints the upstream and each attempt', async () => {
  const gateway = await TestGateway.start(env, { upstream: first, databaseUrl: scratch.url });
  await until(async () => (await gateway.admin('GET', '/admin/upstreams/second')).body['models'] !== null);
  second.on('POST', '/v1/chat/completions', () => ({ status: 503, body: {} }));
  const { headers } = await gateway.chat(await gateway.createKey());
  const id = headers.get('x-request-id')!;
  await until(async () => (await cli(['request', 'show', id], { env })).code === 0);
  await gateway.stop();
  const { stdout } = await cli(['request', 'show', id], { env });
  expect(stdout).toMatch(/^ {2}upstream {3}first$/m);
  expect(stdout).toMatch(/^ {2}attempt 1 {2}second: 503, \d+ ms, model gpt-4o-mini$/m);
  expect(stdout).toMatch(/^ {2}attempt 2 {2}first: 200, \d+ ms, model gpt-4o-mini$/m);
});
