import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { DataSource } from 'typeorm';
import { until } from '../../support/until.js';
import { BOUNDARY, file, formOf, text } from '../../support/multipart-forms.js';
import type { Key, TestGateway } from '../../support/gateway.js';
import { createScratchDatabase, type ScratchDatabase } from '../../support/scratch-database.js';
import { errorIn } from '../../support/responses.js';
import { startGateway } from '../../support/ready-gateway.js';
import { chatRequest, Wire } from '../../support/wire.js';

const PATH = '/v1/chat/completions';
const SSE = 'text/event-stream';
const STREAMED = { model: 'gpt-4o-mini', stream: true, messages: [{ role: 'user', content: 'Hello' }] };
/** Tokens of 'Hello', of the message format and of the start of the response. */
const INPUT = 8;
const event = (content: string) => `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`;

let database: ScratchDatabase;
let source: DataSource;
let gateway: TestGateway;
beforeAll(async () => {
  database = await createScratchDatabase();
  source = await new DataSource({ type: 'postgres', url: database.url, installExtensions: false }).initialize();
  gateway = await startGateway({}, { databaseUrl: database.url });
});
afterAll(async () => {
  await gateway.stop();
  await source.destroy();
  await database.drop();
});
beforeEach(() => gateway.upstream.reset());

function upstreamStreams(pieces: readonly string[], end = true): void {
  gateway.upstream.on('POST', PATH, (_request, response) => {
    response.writeHead(200, { 'content-type': SSE });
    for (const piece of pieces) response.write(piece);
    if (end) response.end('data: [DONE]\n\n');
  });
}

interface Row {
  readonly usage_source: string;
  readonly input_tokens: number;
  readonly output_tokens: number;
}
/** Waits for the only request of a key and returns its stored usage. */
async function recorded(key: Key): Promise<Row & { monthly: number; estimated: number }> {
  let rows: (Row & { monthly: string; estimated: string })[] = [];
  await until(async () => {
    rows = await source.query(
      `select l.usage_source, l.input_tokens, l.output_tokens,
              (select sum(input_tokens + output_tokens) from usage_monthly m where m.key_id = $1) monthly,
              (select sum(estimated_tokens) from usage_daily d where d.key_id = $1) estimated
         from request_logs l where l.key_id = $1`,
      [key.id],
    );
    return rows.length === 1;
  });
  const [row] = rows;
  return { ...row!, monthly: Number(row!.monthly), estimated: Number(row!.estimated) };
}
async function sums({ id }: Key) {
  const [row] = await source.query<{ counted: number; used: number | null; errors: number | null }[]>(
    `select day_count counted, requests::int used, errors::int
       from key_quota left join usage_daily using (key_id) where key_id = $1`,
    [id],
  );
  return row!;
}
const connections = () =>
  new Promise<number>((resolve) => {
    gateway.app.getHttpServer().getConnections((_error, count) => resolve(count));
  });
const figures = (usage_source: string, input_tokens: number, output_tokens: number, estimated: number) => ({
  usage_source,
  input_tokens,
  output_tokens,
  estimated,
  monthly: input_tokens + output_tokens,
});

describe('provenance of recorded tokens', () => {
  test('tokens in the response are stored as reported', async () => {
    const key = await gateway.createKey();
    await gateway.chat(key);
    expect(await recorded(key)).toEqual(figures('reported', 9, 3, 0));
  });

  test('tokens of a stream without stream_options are estimated', async () => {
    const key = await gateway.createKey();
    upstreamStreams([event('Hello'), event(' wor'), event('ld, how are you?')]);
    await gateway.chat(key, { stream: true });
    expect(await recorded(key)).toEqual(figures('estimated', INPUT, 7, INPUT + 7));
  });

  test('a request whose client disconnects during admission counts in the quota and in the usage', async () => {
    const key = await gateway.createKey();
    const holder = source.createQueryRunner();
    await holder.startTransaction();
    await holder.query('select from key_quota where key_id = $1 for update', [key.id]);
    const before = await connections();
    const wire = await Wire.open(gateway.port);
    wire.write(chatRequest(key.key, JSON.stringify(STREAMED)));
    await until(async () => {
      const waiting = `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;
      return (await source.query<object[]>(waiting)).length > 0;
    });
    wire.close();
    await until(async () => (await connections()) === before);
    await holder.rollbackTransaction();
    await holder.release();
    await until(async () => (await sums(key)).used === 1);
    expect(await sums(key)).toEqual({ counted: 1, used: 1, errors: 0 });
  });

  test('the count that a response does not report is estimated', async () => {
    const key = await gateway.createKey();
    gateway.upstream.on('POST', PATH, (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const choices = [{ index: 0, message: { role: 'assistant', content: 'Hello world' } }];
      response.end(JSON.stringify({ choices, usage: { prompt_tokens: 40 } }));
    });
    await gateway.chat(key);
    expect(await recorded(key)).toEqual(figures('partial', 40, 2, 2));
  });

  test('tokens of a response without usage are estimated', async () => {
    const key = await gateway.createKey();
    gateway.upstream.on('POST', PATH, (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ choices: [{ index: 0, message: { role: 'assistant', content: 'Hello world' } }] }));
    });
    await gateway.chat(key);
    expect(await recorded(key)).toEqual(figures('estimated', INPUT, 2, INPUT + 2));
  });

  test('tokens are estimated if the reported number is impossible', async () => {
    const key = await gateway.createKey();
    const usage = { prompt_tokens: 9, completion_tokens: 1e308 };
    gateway.upstream.on('POST', PATH, (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ choices: [{ index: 0, message: { content: 'Hello world' } }], usage }));
    });
    await gateway.chat(key);
    expect(await recorded(key)).toEqual(figures('estimated', INPUT, 2, INPUT + 2));
  });

  test('the estimate covers all text of the request, not only its messages', async () => {
    const key = await gateway.createKey();
    upstreamStreams([event('Hello')]);
    const call = { id: 'c', type: 'custom', custom: { name: 'say', input: 'Hello' } };
    const messages = [...STREAMED.messages, { role: 'assistant', content: null, tool_calls: [call] }];
    const prediction = { type: 'content', content: 'Hello' };
    await gateway.chat(key, { ...STREAMED, messages, prediction, documents: [{ say: 'Hello' }] });
    const input = INPUT + 4 + 'say Hello Hello Hello'.split(' ').length;
    expect(await recorded(key)).toEqual(figures('estimated', input, 1, input + 1));
  });

  test('tokens of a stream that the client aborts are estimated up to that point', async () => {
    const key = await gateway.createKey();
    upstreamStreams([event('Hello'), event(' world')], false);
    const wire = await Wire.open(gateway.port);
    wire.write(chatRequest(key.key, JSON.stringify(STREAMED)));
    await until(() => wire.unread.includes(' world'));
    wire.close();
    expect(await recorded(key)).toEqual(figures('estimated', INPUT, 2, INPUT + 2));
  });

  test('a usage report that breaks off is kept, and the missing part is estimated', async () => {
    const key = await gateway.createKey();
    gateway.upstream.on('POST', PATH, (_request, response) => {
      response.writeHead(200, { 'content-type': SSE });
      response.write(`${event('Hello world')}data: {"choices":[],"usage":{"prompt_tokens":40,"compl`, () =>
        response.destroy(),
      );
    });
    await expect(gateway.chat(key, { stream: true })).rejects.toThrow();
    expect(await recorded(key)).toEqual(figures('partial', 40, 2, 2));
  });

  test('only the input is estimated if the client disconnects before the response', async () => {
    const key = await gateway.createKey();
    gateway.upstream.on('POST', PATH, () => {});
    const wire = await Wire.open(gateway.port);
    wire.write(chatRequest(key.key, JSON.stringify(STREAMED)));
    await gateway.upstream.received(0);
    wire.close();
    expect(await recorded(key)).toEqual(figures('estimated', INPUT, 0, INPUT));
  });

  test('a rejected request and a failed request have no tokens', async () => {
    const [refused, failed] = [await gateway.createKey(), await gateway.createKey()];
    await gateway.chat(refused, { n: 0 });
    gateway.upstream.on('POST', PATH, (_request, response) => void response.writeHead(500).end());
    await gateway.chat(failed);
    for (const key of [refused, failed]) expect(await recorded(key)).toEqual(figures('none', 0, 0, 0));
  });
});

describe('usage of images, speech and transcriptions', () => {
  const form = (model: string, name: string) =>
    formOf([file(name, 'bytes'), text('model', model), text('prompt', 'Hi')]);
  const FORM = { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` };
  const TOKENS = { usage: { type: 'tokens', input_tokens: 12, output_tokens: 272 } };
  const ended = (type: string) => `data: ${JSON.stringify({ type, ...TOKENS })}\n\n`;
  const image = { model: 'gpt-image-1', prompt: 'Hi' };
  const speech = { model: 'tts-1', input: 'Hi', voice: 'alloy' };
  const JSON_TYPE = 'application/json';

  test.each([
    ['images/generations', {}, image, JSON_TYPE, JSON.stringify({ data: [{ b64_json: 'AAAA' }], ...TOKENS })],
    ['images/generations', {}, { ...image, stream: true }, SSE, ended('image_generation.completed')],
    ['images/edits', FORM, form('gpt-image-1', 'image'), JSON_TYPE, JSON.stringify({ data: [], ...TOKENS })],
    ['audio/transcriptions', FORM, form('gpt-4o-transcribe', 'file'), SSE, ended('transcript.text.done')],
    ['audio/speech', {}, speech, SSE, ended('speech.audio.done')],
  ])('tokens of %s are stored as reported', async (path, headers, body, type, received) => {
    const key = await gateway.createKey();
    gateway.upstream.on('POST', `/v1/${path}`, (_request, response) => {
      response.writeHead(200, { 'content-type': type }).end(received);
    });
    expect((await gateway.call('POST', `/v1/${path}`, { key, headers, body })).status).toBe(200);
    expect(await recorded(key)).toEqual(figures('reported', 12, 272, 0));
  });

  test.each([
    ['audio/speech', {}, speech, 'audio/mpeg', ended('speech.audio.done')],
    ['audio/transcriptions', FORM, form('whisper-1', 'file'), JSON_TYPE, '{"usage":{"type":"duration","seconds":3}}'],
  ])('no tokens are stored for %s if the report has none', async (path, headers, body, type, answer) => {
    const key = await gateway.createKey();
    gateway.upstream.on('POST', `/v1/${path}`, (_request, response) => {
      response.writeHead(200, { 'content-type': type }).end(answer);
    });
    const { status, text: received } = await gateway.call('POST', `/v1/${path}`, { key, headers, body });
    expect([status, received]).toEqual([200, answer]);
    expect(await recorded(key)).toEqual(figures('none', 0, 0, 0));
  });
});

test('a response without a content type is read as JSON', async () => {
  const key = await gateway.createKey();
  const usage = { prompt_tokens: 1000, completion_tokens: 5, total_tokens: 1005 };
  gateway.upstream.on('POST', '/v1/chat/completions', (_request, response) => {
    response.end(JSON.stringify({ model: 'gpt-4o-mini-2024', choices: [], usage }));
  });
  expect((await gateway.chat(key)).headers.get('x-gw-model')).toBe('gpt-4o-mini-2024');
  expect(await recorded(key)).toEqual(figures('reported', 1000, 5, 0));
});

describe('JSON response with another content type', () => {
  const RESPONSE = { choices: [{ index: 0, message: { role: 'assistant', content: 'ten words '.repeat(50) } }] };
  const upstreamReturns = (type: string | null, json: object) =>
    gateway.upstream.on('POST', PATH, (_request, response) => {
      // Some providers send whitespace first to keep the connection open.
      response.writeHead(200, type === null ? {} : { 'content-type': type }).write('\n \n');
      setImmediate(() => response.end(JSON.stringify(json)));
    });

  test.each(['text/json', 'text/plain', 'application/octet-stream', null])(
    'a JSON response of type %s is metered, streamed or not',
    async (type) => {
      for (const body of [{ ...STREAMED, stream: false }, STREAMED]) {
        upstreamReturns(type, { ...RESPONSE, usage: { prompt_tokens: 500, completion_tokens: 7000 } });
        const key = await gateway.createKey();
        await gateway.chat(key, body);
        expect(await recorded(key)).toMatchObject({ usage_source: 'reported', input_tokens: 500, output_tokens: 7000 });
      }
    },
  );

  test('tokens are estimated if such a response reports none', async () => {
    upstreamReturns('text/plain', RESPONSE);
    const key = await gateway.createKey();
    await gateway.chat(key, STREAMED);
    const { usage_source, input_tokens, output_tokens } = await recorded(key);
    expect([usage_source, input_tokens]).toEqual(['estimated', INPUT]);
    expect(output_tokens).toBeGreaterThan(90);
  });
});

test('omitting stream_options does not bypass a token limit', async () => {
  const key = await gateway.createKey({ monthly_token_limit: 30 });
  upstreamStreams([event('Hello'), event(' world, how are you today?')]);
  let response = await gateway.chat(key, { stream: true });
  let served = 0;
  await until(async () => {
    if (response.status === 200) {
      served += 1;
      const used = await source.query<{ n: string }[]>('select requests n from usage_monthly where key_id = $1', [
        key.id,
      ]);
      if (Number(used[0]?.n ?? 0) < served) {
        served -= 1;
        return false;
      }
      response = await gateway.chat(key, { stream: true });
    }
    return response.status !== 200;
  });
  expect(served).toBe(2);
  expect(response.status).toBe(429);
  expect(errorIn(response)).toMatchObject({ message: 'Monthly token limit exceeded' });
});
