import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { withUsageRequest } from '../../../src/proxy/usage-request.js';
import { UsageChunkFilter } from '../../../src/proxy/usage-chunk-filter.js';
import { anyText } from '../../support/any-text.js';

const TEXT = { choices: [{ index: 0, delta: { content: 'the "usage" of words' } }], usage: null };
const WITH_TEXT = { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }], usage: { prompt_tokens: 1 } };
const FILTERED = { prompt_filter_results: [], choices: [] };
const USAGE = { id: 'c', choices: [], usage: { prompt_tokens: 9, completion_tokens: 3 } };
const data = (json: unknown, end = '\n\n') => `data: ${JSON.stringify(json)}${end}`;
const DONE = 'data: [DONE]\n\n';

function filtered(pieces: readonly (string | Buffer)[]): string {
  const filter = new UsageChunkFilter();
  const out = pieces.flatMap((piece) => filter.push(Buffer.from(piece)));
  return Buffer.concat([...out, ...filter.end()]).toString('latin1');
}
const latin1 = (text: string) => Buffer.from(text).toString('latin1');

describe('the filter of usage chunks', () => {
  test('removes the chunk that contains only the usage, wherever the stream is divided', () => {
    const stream = Buffer.from(data(TEXT) + data(WITH_TEXT) + data(USAGE) + DONE);
    const expected = latin1(data(TEXT) + data(WITH_TEXT) + DONE);
    for (let at = 0; at <= stream.length; at++)
      expect(filtered([stream.subarray(0, at), stream.subarray(at)])).toBe(expected);
    expect(filtered(Array.from(stream, (byte) => Buffer.from([byte])))).toBe(expected);
  });

  test.each(['\n', '\r\n', '\r'])('finds the chunk with any line end: %j', (lf) => {
    const event = (json: unknown) => `event: chunk${lf}${data(json, lf + lf)}`;
    expect(filtered([event(TEXT) + event(USAGE) + event(TEXT)])).toBe(event(TEXT) + event(TEXT));
  });

  test('finds a chunk whose data has several lines', () => {
    const lines = JSON.stringify(USAGE, null, 1).replaceAll('\n', '\ndata: ');
    expect(filtered([`data: ${lines}\n\n${DONE}`])).toBe(DONE);
  });

  test.each([
    ['usage with text', WITH_TEXT],
    ['no usage', FILTERED],
    ['usage without figures', { choices: [], usage: null }],
    ['usage in the text', { choices: [{ delta: { content: JSON.stringify(USAGE) } }] }],
    ['an error', { ...USAGE, error: { message: 'x' } }],
  ])('keeps a chunk with %s', (_, chunk) => {
    expect(filtered([data(chunk) + DONE])).toBe(data(chunk) + DONE);
  });

  test('forwards an event at its blank line, and the rest when the stream ends', () => {
    const filter = new UsageChunkFilter();
    expect(Buffer.concat([...filter.push(Buffer.from(`${data(TEXT)}data: {"usage`))]).toString()).toBe(data(TEXT));
    expect(filter.push(Buffer.from('":1'))).toEqual([]);
    expect(Buffer.concat([...filter.end()]).toString()).toBe('data: {"usage":1');
  });

  test('holds at most 64 KiB of an event, and finds the usage chunk after a longer one', () => {
    const long = data({ ...TEXT, padding: 'x'.repeat(300_000) });
    const filter = new UsageChunkFilter();
    let held = 0;
    let sent = 0;
    const out: Buffer[] = [];
    for (const piece of [long + data(USAGE) + DONE].join('').match(/[^]{1,1000}/g)!) {
      sent += piece.length;
      out.push(...filter.push(Buffer.from(piece)));
      held = Math.max(held, sent - out.reduce((sum, { length }) => sum + length, 0));
    }
    expect(held).toBeLessThan(64 * 1024 + 1000);
    expect(Buffer.concat([...out, ...filter.end()]).toString()).toBe(long + DONE);
  });

  test('changes no other bytes of any stream', () => {
    const event = fc.oneof(
      anyText(),
      fc.constantFrom(data(TEXT), data(USAGE), data(FILTERED), '\r', '\n', '\r\n', ':\n\n'),
    );
    fc.assert(
      fc.property(
        fc.array(event, { maxLength: 12 }),
        fc.infiniteStream(fc.integer({ min: 1, max: 40 })),
        (parts, sizes) => {
          const stream = Buffer.from(parts.join(''));
          const pieces: Buffer[] = [];
          for (let at = 0; at < stream.length;) {
            const size = sizes.next().value!;
            pieces.push(stream.subarray(at, at + size));
            at += size;
          }
          const whole = filtered([stream]);
          const out = filtered(pieces);
          if (!stream.includes(JSON.stringify(USAGE))) expect(out).toBe(stream.toString('latin1'));
          expect(out.replaceAll(latin1(data(USAGE)), '')).toBe(whole.replaceAll(latin1(data(USAGE)), ''));
        },
      ),
    );
  });
});

describe('a request for usage', () => {
  test.each<[string, string]>([
    ['{"model":"m","stream":true}', '{"stream_options":{"include_usage":true},"model":"m","stream":true}'],
    [' {"a":1.50}', ' {"stream_options":{"include_usage":true},"a":1.50}'],
    ['{"stream_options":null,"a":1e2}', '{"stream_options":{"include_usage":true},"a":1e2}'],
    ['{"a":1,"stream_options": {} }', '{"a":1,"stream_options": {"include_usage":true} }'],
    ['{"stream_options":{"include_usage":false,"x":1}}', '{"stream_options":{"include_usage":true,"x":1}}'],
    ['{"stre\\u0061m_options":{"include_usage":null}}', '{"stre\\u0061m_options":{"include_usage":true}}'],
  ])('changes only the stream options: %s', (body, expected) => {
    const { stream_options: given } = JSON.parse(body) as { stream_options?: unknown };
    expect(withUsageRequest(Buffer.from(body), given).toString()).toBe(expected);
  });
});
