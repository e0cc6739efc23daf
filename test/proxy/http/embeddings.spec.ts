import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { DataSource } from 'typeorm';
import { EmbeddingRequest } from '../../../src/proxy/embeddings/embedding.dto.js';
import { compileRules } from '../../../src/platform/validation/body-rules.js';
import { integers, names, needed, passes, rejected, type Row } from '../../support/field-rows.js';
import { until } from '../../support/until.js';
import type { Key, TestGateway } from '../../support/gateway.js';
import { errorCodeIn } from '../../support/responses.js';
import { startGateway } from '../../support/ready-gateway.js';

const PATH = '/v1/embeddings';
const BASE = { model: 'text-embedding-3-small', input: 'some text' };

const rules = compileRules(EmbeddingRequest);
const violationOf = (patch: object) => {
  const body = Object.fromEntries(Object.entries({ ...BASE, ...patch }).filter(([, value]) => value !== undefined));
  const violation = rules(body);
  return violation === null ? null : `${violation.code} ${violation.param}`;
};

const INPUT_TYPES = ['search_query', 'search_document', 'classification', 'clustering'];
const cohere = (input_type: unknown) => ({ model: 'embed-english-v3.0', input_type });

/** In the order of the specification, which is the order of the reports. */
const TABLE: Readonly<Record<string, readonly Row[]>> = {
  model: [
    ...passes('model', ['m', '', 'm'.repeat(200)]),
    ...rejected('invalid_value', 'model', ['m'.repeat(201)]),
    ...needed('model', [5, true, ['m'], {}]),
  ],
  input: [
    ...passes('input', ['', 'x', ['a'], ['', 'b'], Array.from({ length: 2048 }, () => 'x')]),
    ...rejected('invalid_value', 'input', [[]]),
    ...needed('input', [7, true, {}]),
    ...rejected('invalid_type', 'input[0]', [[1, 2], [[1], [2]], [null]], (input) => ({ input })),
    ...rejected('invalid_type', 'input[2]', [['a', 'b', 3, 4]], (input) => ({ input })),
  ],
  encoding_format: names('encoding_format', ['float', 'base64']),
  dimensions: integers('dimensions', { min: 1 }),
  input_type: [
    ...names('input_type', INPUT_TYPES),
    ...passes('input_type', INPUT_TYPES, cohere),
    ...rejected('missing_required_parameter', 'input_type', [undefined], cohere),
    ...rejected('invalid_type', 'input_type', [null, 7], cohere),
    ...rejected('invalid_value', 'input_type', ['image', ''], cohere),
  ],
  truncate: [
    ...passes('truncate', ['NONE', 'START', 'END', null]),
    ...rejected('invalid_value', 'truncate', ['none', 'End', '', 'END ']),
    ...rejected('invalid_type', 'truncate', [1, true, ['END'], {}]),
  ],
  user: [
    ...passes('user', [null, '', 'u'.repeat(256), '🌍'.repeat(256)]),
    ...rejected('invalid_value', 'user', ['u'.repeat(257)]),
    ...rejected('invalid_type', 'user', [1, {}]),
  ],
};

describe('fields of an embedding request', () => {
  test.each(Object.keys(TABLE))('%s accepts and rejects the values of its table', (field) => {
    const rows = TABLE[field]!;
    expect(rows.map(({ patch }) => [patch, violationOf(patch)])).toEqual(rows.map((row) => [row.patch, row.violation]));
  });

  test('the first violation in the order of the table is reported', () => {
    const body: Record<string, unknown> = Object.fromEntries(
      Object.keys(TABLE)
        .reverse()
        .map((field) => [field, { x: 7 }]),
    );
    const order: string[] = [];
    for (let violation = rules(body); violation !== null && order.length < 99; violation = rules(body)) {
      const field = violation.param!;
      order.push(field);
      if (field === 'model' || field === 'input') body[field] = 'm';
      else delete body[field];
    }
    expect(order).toEqual(Object.keys(TABLE));
  });

  test.each(['embed-english-v3.0', 'embed-multilingual-light-v3.0', 'cohere/embed-english-v3.0', 'embed-english-v3'])(
    '%s requires input_type',
    (model) => expect(violationOf({ model })).toBe('missing_required_parameter input_type'),
  );
  test.each([
    'embed-english-v2.0',
    'embed-v4.0',
    'text-embedding-3-small',
    'x/embed-english-v3.0/y',
    'xembed-english-v3.0',
  ])('%s does not require input_type', (model) => expect(violationOf({ model })).toBeNull());
});

describe('POST /v1/embeddings', () => {
  let gateway: TestGateway;
  let key: Key;
  beforeAll(async () => {
    gateway = await startGateway();
    key = await gateway.createKey();
  });
  afterAll(() => gateway.stop());
  beforeEach(() => gateway.upstream.reset());

  const upstreamReturns = (body: string) =>
    gateway.upstream.on('POST', PATH, (_request, response) => {
      response
        .writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) })
        .end(body);
    });
  const embed = (body: object | string, made = key) => gateway.call('POST', PATH, { key: made, body });
  /** Joins strings, because serializing one large object would block the gateway and the upstream in this process. */
  const result = (vectors: number, dimensions: number) => {
    const vector = JSON.stringify(Array.from({ length: dimensions }, (_, at) => Math.sin(at)));
    const data = Array.from({ length: vectors }, (_, i) => `{"object":"embedding","index":${i},"embedding":${vector}}`);
    const rest = '"model":"text-embedding-3-small","usage":{"prompt_tokens":5000,"total_tokens":5000}';
    return `{"object":"list","data":[${data.join()}],${rest}}`;
  };

  const stored = async (made: Key) => {
    const [row] = await gateway.app
      .get(DataSource)
      .query<{ input: string; output: string }[]>(
        'select sum(input_tokens) as input, sum(output_tokens) as output from usage_daily where key_id = $1',
        [made.id],
      );
    return [Number(row!.input), Number(row!.output)];
  };

  test.each([
    ['two vectors', 2, 3],
    ['1,000 vectors of about 20 MB', 1000, 1024],
  ])('%s are forwarded byte for byte, and their tokens are recorded', async (_what, vectors, dimensions) => {
    const made = await gateway.createKey();
    const response = result(vectors, dimensions);
    upstreamReturns(response);
    const body = ' {"input":["a","b"], "model":"text-embedding-3-small","dimensions":3.0,"x":12345678901234567890}';
    const given = await embed(body, made);
    expect(errorCodeIn(given)).toBe('200');
    expect(given.text === response).toBe(true);
    expect(given.headers.get('x-gw-model')).toBe('text-embedding-3-small');
    expect((await gateway.upstream.received(0)).body.toString()).toBe(body);
    await until(async () => (await stored(made))[0] !== 0);
    expect(await stored(made)).toEqual([5000, 0]);
  });

  test.each<[object, string]>([
    [{ model: 'gpt-4o' }, '400 model_endpoint_mismatch model'],
    [{ model: 'nope' }, '403 model_not_available model'],
    [{ input: undefined }, '400 missing_required_parameter input'],
    [{ input: [] }, '400 invalid_value input'],
    [{ input: ['a', 'b', 3] }, '400 invalid_type input[2]'],
    [{ truncate: 'end' }, '400 invalid_value truncate'],
  ])('%j is rejected with %s', async (fields, expected) => {
    expect(errorCodeIn(await embed({ ...BASE, ...fields }))).toBe(expected);
    expect(gateway.upstream.requests).toHaveLength(0);
  });
});
