import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { DataSource } from 'typeorm';
import { poll } from '../../support/poll.js';
import { until } from '../../support/until.js';
import { TestGateway, type Key } from '../../support/gateway.js';
import { callRow, fittingModel, ROWS, type Row } from '../../profiles/all-routes.js';

const SSE = 'text/event-stream';
const RUN_STREAM = [
  'event: thread.run.created\ndata: {"id":"run_1","object":"thread.run","usage":null}\n\n',
  'event: thread.run.step.completed\ndata: {"id":"step_1","usage":{"prompt_tokens":3,"completion_tokens":1,"total_tokens":4}}\n\n',
  'event: thread.run.completed\ndata: {"id":"run_1","usage":{"prompt_tokens":20,"completion_tokens":5,"total_tokens":25}}\n\n',
  'event: done\ndata: [DONE]\n\n',
].join('');

let gateway: TestGateway;
let specified: TestGateway;
let source: DataSource;
beforeAll(async () => {
  gateway = await TestGateway.start({ GW_ROUTES: 'all', GW_UNBILLED_ROUTES: 'batches,fine_tuning' });
  specified = await TestGateway.start({}, { upstream: gateway.upstream });
  source = gateway.app.get(DataSource);
});
afterAll(async () => {
  await specified.stop();
  await gateway.stop();
});
beforeEach(() => gateway.upstream.reset());

function respondWith(title: string, text: string, type = 'application/json'): void {
  const [method, path] = title.replace(/\{\w+\}/g, 'x-1').split(' ');
  gateway.upstream.on(method!, path!, (_request, response) => {
    response.writeHead(200, { 'content-type': type }).end(text);
  });
}

async function tokensOf({ id }: Key, from = source): Promise<[number, number]> {
  let rows: { input_tokens: number; output_tokens: number }[] = [];
  await until(async () => {
    rows = await from.query('select input_tokens, output_tokens from request_logs where key_id = $1', [id]);
    return rows.length === 1;
  });
  return [rows[0]!.input_tokens, rows[0]!.output_tokens];
}

/** Returns the recorded tokens of one request to a row if the provider responds with `text`. */
async function costOf(title: string, text: string, type?: string): Promise<[number, number]> {
  respondWith(title, text, type);
  const row = ROWS.find((each) => each.title === title)!;
  const key = await gateway.createKey();
  const { status } = await callRow(gateway, row, { key, model: fittingModel(row.route) });
  expect(status).toBe(200);
  return tokensOf(key);
}

/** Sends one request to each row, and returns its status and tokens. Waits only once for the rows of all requests. */
async function costsOf(rows: readonly Row[], text: string): Promise<Map<string, string>> {
  const key = await gateway.createKey();
  for (const { title } of rows) respondWith(title, text);
  gateway.upstream.on('GET', '/v1/files/file-1/content', (_request, response) => void response.end('\n'));
  for (const row of rows) await callRow(gateway, row, { key, model: fittingModel(row.route) });
  const count = async () =>
    (await source.query<{ n: number }[]>('select count(*)::int as n from request_logs where key_id = $1', [key.id]))[0]!
      .n;
  await poll(count).toBe(rows.length);
  const costs = await source.query<{ title: string; cost: string }[]>(
    `select method || ' ' || endpoint as title, format('%s: %s, %s', status, input_tokens, output_tokens) as cost
       from request_logs where key_id = $1`,
    [key.id],
  );
  return new Map(costs.map(({ title, cost }) => [title, cost]));
}

const BOTH_NAMES = JSON.stringify({
  usage: { input_tokens: 7, output_tokens: 2, prompt_tokens: 7, completion_tokens: 2, total_tokens: 9 },
});

describe('usage recorded from the response', () => {
  test.each(['POST /v1/responses/compact', 'POST /v1/decisions'])(
    'records the reported tokens of %s',
    async (title) => {
      expect(await costOf(title, BOTH_NAMES)).toEqual([7, 2]);
    },
  );

  test.each(['POST /v1/audio/translations', 'POST /v1/images/variations'])(
    'records the tokens of %s only if reported',
    async (title) => {
      expect(await costOf(title, BOTH_NAMES)).toEqual([7, 2]);
      expect(await costOf(title, '{"text": "nothing reported"}')).toEqual([0, 0]);
    },
  );

  test('records the tokens that the stream of a run reports', async () => {
    const title = 'POST /v1/threads/runs';
    expect(await costOf(title, RUN_STREAM, SSE)).toEqual([20, 5]);
    expect(await costOf(title, '{"id":"run_1","usage":null}')).toEqual([0, 0]);
  });

  test('records the tokens of a run for the request that created it, and not for its tool outputs', async () => {
    const title = 'POST /v1/threads/{thread_id}/runs/{run_id}/submit_tool_outputs';
    expect(await costOf(title, RUN_STREAM, SSE)).toEqual([0, 0]);
  });

  test('a streamed run on an existing thread is metered, except in the specification profile', async () => {
    respondWith('POST /v1/threads/x-1/runs', RUN_STREAM, SSE);
    const [key, other] = [await gateway.createKey(), await specified.createKey()];
    const body = { assistant_id: 'a', stream: true };
    await gateway.call('POST', '/v1/threads/x-1/runs', { key, body });
    await specified.call('POST', '/v1/threads/x-1/runs', { key: other, body });
    expect(await tokensOf(key)).toEqual([20, 5]);
    expect(await tokensOf(other, specified.app.get(DataSource))).toEqual([0, 0]);
  });
});

describe('responses without usage', () => {
  test.each([
    ['POST /v1/messages/count_tokens', '{"input_tokens": 2095}'],
    ['POST /v1/responses/input_tokens', '{"object": "response.input_tokens", "input_tokens": 11}'],
  ])('records no tokens for the token counting route %s', async (title, text) => {
    expect(await costOf(title, text)).toEqual([0, 0]);
  });

  describe('responses of unmetered routes', () => {
    const unmetered = ROWS.filter(({ route }) => route.usage === undefined);
    let recorded: ReadonlyMap<string, string>;
    beforeAll(async () => {
      recorded = await costsOf(unmetered, BOTH_NAMES);
    });

    test.each(unmetered.map(({ title }) => title))('records no tokens for the unmetered route %s', (title) => {
      expect(recorded.get(title)).toBe('200: 0, 0');
    });
  });
});
