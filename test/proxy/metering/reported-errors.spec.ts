import { describe, expect, test } from '@jest/globals';
import { bufferedReport } from '../../../src/proxy/metering/buffered-usage.js';
import { USAGE_FORMATS } from '../../../src/proxy/metering/usage-formats.data.js';
import { streamed, type Route } from '../../support/metered.js';

/** Returns the messages of the errors in a stream. They must be the same if it arrives byte by byte. */
function errorsOf(text: string, route: Route = 'chat', type = 'text/event-stream') {
  const bytes = Buffer.from(text);
  const [atOnce, inBytes] = [streamed(route, type), streamed(route, type)];
  atOnce.push(bytes);
  for (const byte of bytes) inBytes.push(Buffer.of(byte));
  atOnce.end(true);
  inBytes.end(true);
  expect(inBytes.errors).toEqual(atOnce.errors);
  return atOnce.errors.map(({ message }) => message);
}
const errorOf = (body: string, route: Route = 'chat') => bufferedReport(Buffer.from(body), USAGE_FORMATS[route]).error;

const DELTA = 'data: {"choices":[{"delta":{"content":"an \\"error\\": {\\"message\\": 1}"}}]}\n\n';

describe('errors in a stream', () => {
  test.each<[string, string | null]>([
    ['data: {"error":{"message":"overloaded","code":503}}\n\ndata: [DONE]\n\n', 'overloaded'],
    ['data: {"id":"x","error":{"message":"rate limited"},"choices":[{"finish_reason":"error"}]}\n\n', 'rate limited'],
    ['data: {"error":"no capacity"}', 'no capacity'],
    ['data: {"error":{}}\n\ndata: {"error":{"code":5}}\n\n', null],
    ['event: error\ndata: {"type":"error","error":{"type":"api_error","message":"Overloaded"}}\n\n', 'Overloaded'],
    ['event: error\ndata: {"message":"gone"}\n\n', 'gone'],
    ['event:error\r\ndata: gone\r\n\r\n', null],
    ['data: {"message":"gone"}\nevent: error\n\n', null],
    ['event: error', null],
    ['data: {"type":"error","code":"server_error","message":"broken"}\n\n', 'broken'],
    ['error: {"code":500,"message":"context too long"}\n\n', 'context too long'],
    ['data: {"choices":[{"error":{"message":"provider failed"},"finish_reason":"error"}]}\n\n', 'provider failed'],
    ['data: {"x_groq":{"error":"tool use failed"}}\n\n', 'tool use failed'],
    ['data: {"error": {\ndata: "message": "in lines"}}\n\n', 'in lines'],
    ['{"error":{"message":"as JSON"}}', 'as JSON'],
  ])('a stream with %j has failed', (text, message) => {
    expect(errorsOf(DELTA + text)).toEqual(text.startsWith('{') ? [] : [message]);
    expect(errorsOf(text)).toEqual([message]);
  });

  test('a stream that ends with response.failed has failed', () => {
    const failed = { type: 'response.failed', response: { status: 'failed', error: { message: 'try later' } } };
    expect(errorsOf(`event: response.failed\ndata: ${JSON.stringify(failed)}\n\n`, 'responses')).toEqual(['try later']);
  });

  test('an error of 0 followed by a string without a comma is not an error', () => {
    expect(errorsOf('data: {"error": 0"usage","x":1}\n\n')).toEqual([]);
  });

  test('reports only the first error of a stream', () => {
    const errors = ['one', 'two'].map((message) => `data: ${JSON.stringify({ error: { message } })}\n\n`);
    expect(errorsOf(errors.join(''))).toEqual(['one']);
  });

  test('finds an error in a line of NDJSON', () => {
    expect(errorsOf('{"a":1}\n{"error":"out of memory"}\n', 'chat', 'application/x-ndjson')).toEqual(['out of memory']);
  });
});

describe('streams without an error', () => {
  test.each([
    DELTA,
    'data: {"error":null}\n\n',
    'data: {"error":""}\n\n',
    'data: {"error":{ }}\n\n',
    'data: {"error":false}\n\n',
    'data: {"delta":{"error":{"message":"nested"}}}\n\n',
    'data: {"type":"errors"}\n\nevent: errors\ndata: {}\n\n',
    ': error\nid: error\ndata: {"message":"error"}\n\n',
    'data: {"output":[{"error":{"message":"of a tool"}}]}\n\n',
    'event: response.incomplete\ndata: {"response":{"error":null,"incomplete_details":{"reason":"max_output_tokens"}}}\n\n',
    'event: error_free\ndata: {}\n\n',
  ])('a stream with %j has not failed', (text) => {
    expect(errorsOf(text)).toEqual([]);
  });
});

describe('errors in a whole response', () => {
  test.each<[string, string | null]>([
    ['{"error":{"message":"overloaded"}}', 'overloaded'],
    ['{"error" : "overloaded"}', 'overloaded'],
    ['{"id":"x","error":{"code":1},"usage":{"prompt_tokens":1,"completion_tokens":1}}', null],
    ['{"type":"error","error":{"type":"api_error","message":"Overloaded"}}', 'Overloaded'],
    ['{"choices":[{"error":{"message":"provider failed"}}]}', 'provider failed'],
    ['[{"error":{"message":"in a list"}}]', 'in a list'],
    ['data: {"error":{"message":"as an event"}}\n\n', 'as an event'],
  ])('the response %s has failed', (body, message) => {
    expect(errorOf(body)).toMatchObject({ message });
  });

  test.each([
    '{"error":null,"usage":{"prompt_tokens":1,"completion_tokens":1}}',
    '{"error" : null}',
    '{"error":{}}',
    '{"choices":[{"message":{"content":"\\"error\\":{\\"message\\":\\"x\\"}"}}]}',
    '{"output":[{"type":"mcp_call","error":{"message":"x"}}],"a":"error"}',
    '"error"',
    '',
  ])('the response %s has not failed', (body) => {
    expect(errorOf(body)).toBeNull();
  });

  test('keeps the usage of a response that also reports an error', () => {
    const body = '{"error":{"message":"x"},"usage":{"input_tokens":3,"output_tokens":4},"data":[]}';
    expect(bufferedReport(Buffer.from(body), USAGE_FORMATS.responses).usage).toMatchObject({
      inputTokens: 3,
      outputTokens: 4,
    });
  });

  test('a response whose error is too long to read has failed without a message', () => {
    expect(errorOf(`{"error":{"message":"${'x'.repeat(200_000)}"}}`)).toMatchObject({ message: null });
  });
});
