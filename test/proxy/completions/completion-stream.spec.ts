import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { CompletionStream, type CompletionOptions } from '../../../src/proxy/completions/completion-stream.js';
import type { TextCompletion } from '../../../src/proxy/completions/text-completion.js';
import { anyText } from '../../support/any-text.js';

const PLAIN: CompletionOptions = { echo: '', usageChunk: false };
const USAGE = { prompt_tokens: 9, completion_tokens: 4, total_tokens: 13 };

const chunk = (choices: object[], more: object = {}) => ({
  id: 'chatcmpl-abc',
  object: 'chat.completion.chunk',
  created: 1_700_000_777,
  model: 'gpt-4o',
  choices,
  ...more,
});
const delta = (index: number, content?: string, finish_reason: string | null = null) => ({
  index,
  delta: content === undefined ? {} : { content },
  finish_reason,
});
const event = (json: unknown) => `data: ${JSON.stringify(json)}\n\n`;
const stream = (...chunks: object[]) => [...chunks.map(event), 'data: [DONE]\n\n'].join('');

/** Returns the converted stream for these pieces of the upstream response. */
function converted(pieces: readonly (string | Buffer)[], wish: CompletionOptions = PLAIN): string {
  const converter = new CompletionStream(wish);
  const out = pieces.flatMap((piece) => converter.push(Buffer.from(piece)));
  return Buffer.concat([...out, ...converter.end()]).toString();
}

const payloads = (sse: string) =>
  sse
    .split('\n\n')
    .filter((text) => text !== '')
    .map((text) => text.replace(/^data: /, ''));
const completions = (sse: string) =>
  payloads(sse)
    .filter((text) => text !== '[DONE]')
    .map((text) => JSON.parse(text) as TextCompletion);
const textOf = (sse: string, index = 0) =>
  completions(sse)
    .flatMap(({ choices }) => choices)
    .filter((choice) => choice.index === index)
    .map(({ text }) => text)
    .join('');

const WHOLE = [
  ': OPENROUTER PROCESSING\n\n',
  event(chunk([{ index: 0, delta: { role: 'assistant', content: '' }, finish_reason: null }])),
  'event: message\nid: 7\n' + event(chunk([delta(0, 'Hello ')])),
  event(chunk([delta(0, 'wörld 🌍'), delta(1, 'é')])),
  event(chunk([])),
  'data: {"choices":\ndata: [{"index":0,"delta":{"content":"!"},"finish_reason":"stop"}]}\n\n',
  event({ error: { message: 'slow' } }),
  event(chunk([delta(1, undefined, 'length')])),
  event(chunk([], { usage: USAGE })),
  'data: [DONE]\n\n',
].join('');

describe('CompletionStream', () => {
  test('converts each chunk and sends [DONE] once', () => {
    const sse = converted([stream(chunk([delta(0, 'Hi')]), chunk([delta(0, undefined, 'stop')])) + 'data: [DONE]\n\n']);
    const base = { id: 'cmpl-abc', object: 'text_completion', created: 1_700_000_777, model: 'gpt-4o' };
    expect(completions(sse)).toEqual([
      { ...base, choices: [{ text: 'Hi', index: 0, logprobs: null, finish_reason: null }] },
      { ...base, choices: [{ text: '', index: 0, logprobs: null, finish_reason: 'stop' }] },
    ]);
    expect(payloads(sse).filter((text) => text === '[DONE]')).toHaveLength(1);
    expect(sse.endsWith('\n\ndata: [DONE]\n\n')).toBe(true);
  });

  test.each([['\n'], ['\r\n'], ['\r']])(
    'returns the same result regardless of how the stream is chunked, with lines that end in %j',
    (lineEnd) => {
      const bytes = Buffer.from(WHOLE.replaceAll('\n', lineEnd));
      const whole = converted([bytes], { echo: 'Say', usageChunk: true });
      expect([textOf(whole.replace(/^(:|event:|id:).*\n+/gm, '').replace(/^data: \{"error.*\n\n/m, ''))]).toEqual([
        'SayHello wörld 🌍!',
      ]);
      for (let at = 0; at <= bytes.length; at++) {
        const pieces = [bytes.subarray(0, at), bytes.subarray(at)];
        expect(converted(pieces, { echo: 'Say', usageChunk: true })).toBe(whole);
      }
      expect(
        converted(
          Array.from(bytes, (byte) => Buffer.from([byte])),
          { echo: 'Say', usageChunk: true },
        ),
      ).toBe(whole);
    },
  );

  test('sends a chunk as soon as its line is complete, before the blank line', () => {
    const converter = new CompletionStream(PLAIN);
    const [line] = event(chunk([delta(0, 'Hi')])).split('\n');
    expect(converter.push(Buffer.from(line!))).toEqual([]);
    expect(textOf(String(converter.push(Buffer.from('\n'))))).toBe('Hi');
    expect(converter.push(Buffer.from('\n'))).toEqual([]);
  });

  test('recognizes a chunk without a space after its colon, and after a byte order mark', () => {
    const hi = JSON.stringify(chunk([delta(0, 'Hi')]));
    for (const given of [`data:${hi}\n\n`, `\ufeffdata: ${hi}\n\n`]) expect(textOf(converted([given]))).toBe('Hi');
  });

  test('the converted text equals the text of the deltas for any text and chunking', () => {
    const deltas = fc.array(fc.tuple(fc.nat({ max: 2 }), anyText()), { maxLength: 12 });
    const cuts = fc.array(fc.nat(), { maxLength: 12 });
    const lineEnds = fc.constantFrom('\n', '\r\n');
    fc.assert(
      fc.property(deltas, cuts, lineEnds, fc.string(), (contents, at, lineEnd, echo) => {
        const sse = stream(...contents.map(([index, content]) => chunk([delta(index, content)]))).replaceAll(
          '\n',
          lineEnd,
        );
        const bytes = Buffer.from(sse);
        const edges = [0, ...at.map((cut) => cut % bytes.length).sort((a, b) => a - b), bytes.length];
        const pieces = edges.slice(1).map((to, i) => bytes.subarray(edges[i], to));
        const out = converted(pieces, { echo, usageChunk: false });
        for (const index of [0, 1, 2]) {
          const mine = contents.filter(([of]) => of === index).map(([, content]) => content);
          expect(textOf(out, index)).toBe((mine.length > 0 ? echo : '') + mine.join(''));
        }
      }),
      { numRuns: 150 },
    );
  });
});

describe('usage chunks', () => {
  const sse = stream(chunk([delta(0, 'Hi')]), chunk([], { usage: null }), chunk([], { usage: USAGE }));
  test('sends a usage chunk to a client that requested it', () => {
    const bare = completions(converted([sse], { echo: '', usageChunk: true })).filter(
      (one) => one.choices.length === 0,
    );
    expect(bare).toEqual([expect.objectContaining({ object: 'text_completion', usage: USAGE })]);
  });
  test('does not send a usage chunk to other clients', () => {
    expect(completions(converted([sse])).filter((one) => one.choices.length === 0)).toEqual([]);
  });
  test.each([
    ['without choices', {}],
    ['with choices of null', { choices: null }],
  ])('treats a last chunk %s as a usage chunk', (_what, choices) => {
    const last = Object.fromEntries(Object.entries(chunk([], { usage: USAGE })).filter(([name]) => name !== 'choices'));
    const sse = stream(chunk([delta(0, 'Hi')]), { ...last, ...choices });
    expect(completions(converted([sse]))).toHaveLength(1);
    expect(completions(converted([sse], { echo: '', usageChunk: true }))[1]).toEqual({
      id: 'cmpl-abc',
      object: 'text_completion',
      created: 1_700_000_777,
      model: 'gpt-4o',
      usage: USAGE,
      choices: [],
    });
  });

  test('keeps usage in a chunk with choices', () => {
    const [only] = completions(converted([stream(chunk([delta(0, 'Hi')], { usage: USAGE }))]));
    expect(only).toMatchObject({ usage: USAGE });
  });
});

describe('echo in a stream', () => {
  test('sends the echo as the first chunk of each choice, without usage', () => {
    const sse = stream(
      chunk([delta(1, ' you'), delta(0, '')], { usage: USAGE }),
      chunk([delta(0, ' there')]),
      chunk([delta(2, undefined, 'stop')]),
    );
    const out = completions(converted([sse], { echo: 'one\n\ntwo', usageChunk: false }));
    for (const [index, rest] of [' there', ' you', ''].entries()) {
      const mine = out.filter(({ choices }) => choices.some((choice) => choice.index === index));
      expect(mine[0]).not.toHaveProperty('usage');
      expect(mine[0]).toMatchObject({ id: 'cmpl-abc', object: 'text_completion', model: 'gpt-4o' });
      expect(mine[0]!.choices).toEqual([{ text: 'one\n\ntwo', index, logprobs: null, finish_reason: null }]);
      expect(textOf(out.map(event).join(''), index)).toBe(`one\n\ntwo${rest}`);
    }
  });
});

describe('events and lines that are not chat chunks', () => {
  test.each([
    ['a comment', ': keep-alive\n\n'],
    ['an error', 'data: {"error":{"message":"overloaded","code":529}}\n\n'],
    ['an error in a chunk without choices', 'data: {"choices":[],"error":{"message":"overloaded"}}\n\n'],
    ['an error event with empty choices', 'event: error\ndata: {"error":{"message":"overloaded"},"choices":[]}\n\n'],
    ['an error in NDJSON', '{"error":{"message":"overloaded"},"choices":[],"object":"chat.completion.chunk"}\n'],
    ['an error event', 'event: error\ndata: {"error":{"message":"overloaded"}}\n\n'],
    ['data that is not JSON', 'data: half a {\n\n'],
    ['data in several lines', 'data: one\ndata: two\n\n'],
    ['NDJSON in another format', '{"candidates":[{"content":{"parts":[{"text":"Hi"}]}}]}\n'],
    ['another field', 'retry: 3000\n\n'],
    ['two lines of data that form a chunk only without their line end', 'data: {"choices":[],"a":1\ndata: 2}\n\n'],
  ])('forwards %s unchanged', (_what, text) => expect(converted([text])).toBe(text));

  test('converts a chunk that follows other data without a blank line', () => {
    const out = converted([`data: odd\n${event(chunk([delta(0, 'Hi')]))}`]);
    expect(out.startsWith('data: odd\n\ndata: {')).toBe(true);
    expect(out).toContain('"text":"Hi"');
  });

  test('forwards other data before a [DONE] that follows without a blank line', () => {
    expect(converted(['data: odd\ndata: [DONE] \n\n'])).toBe('data: odd\n\ndata: [DONE]\n\n');
  });

  test('forwards an unfinished event at the end of the stream and completes it', () => {
    expect(converted(['data: one\ndata: two'])).toBe('data: one\ndata: two\n\n');
    expect(converted(['event: error\n'])).toBe('event: error\n\n');
  });

  test('converts NDJSON chunks line by line and sends no [DONE]', () => {
    const lines = [chunk([delta(0, 'Hi')]), chunk([delta(0, undefined, 'stop')]), chunk([], { usage: USAGE })];
    const out = converted([lines.map((json) => JSON.stringify(json)).join('\n')]);
    expect(
      out
        .trim()
        .split('\n')
        .map((line) => (JSON.parse(line) as TextCompletion).choices[0]!.text),
    ).toEqual(['Hi', '']);
    expect(out).not.toContain('[DONE]');
  });
});

describe('streams without [DONE]', () => {
  test('sends no [DONE] if the finish reason of a choice is empty', () => {
    expect(converted([event(chunk([delta(0, 'par', '')]))])).not.toContain('[DONE]');
  });

  const hi = event(chunk([delta(0, 'Hi'), delta(1, 'Ho')]));
  const finished = (index: number) => event(chunk([delta(index, undefined, 'stop')]));
  test('sends [DONE] if every choice has finished', () =>
    expect(converted([hi, finished(0), finished(1)]).endsWith('data: [DONE]\n\n')).toBe(true));
  test('sends [DONE] if the only choice has finished', () =>
    expect(converted([finished(0)]).endsWith('data: [DONE]\n\n')).toBe(true));
  test.each([
    ['a choice is unfinished', hi + finished(0)],
    ['the stream is empty', ''],
    ['the stream contains only an error', 'data: {"error":{}}\n\n'],
  ])('sends no [DONE] if %s', (_what, sse) => expect(converted([sse])).not.toContain('[DONE]'));
  test('converts a last line without a line end', () => {
    expect(textOf(converted([event(chunk([delta(0, 'Hi')])).trim()]))).toBe('Hi');
  });
});

describe('memory limits of CompletionStream', () => {
  const MIB = 1024 * 1024;
  const long = (bytes: number) =>
    Buffer.concat([Buffer.from('data: "'), Buffer.alloc(bytes - 8, 'x'), Buffer.from('"')]);
  const refusal = /too long to convert/;

  test('accepts a line of 8 MiB and throws for one byte more, regardless of how it is chunked', () => {
    expect(converted([long(8 * MIB), '\n\n'])).toHaveLength(8 * MIB + 2);
    expect(converted([Buffer.concat([long(8 * MIB), Buffer.from('\n\n')])])).toHaveLength(8 * MIB + 2);
    expect(converted([Buffer.concat([long(8 * MIB), Buffer.from('\r\r')])])).toHaveLength(8 * MIB + 2);
    const over = long(8 * MIB + 1);
    expect(() => converted([over])).toThrow(refusal);
    expect(() => converted([over, '\n\n'])).toThrow(refusal);
    expect(() => converted([over.subarray(0, -1), Buffer.concat([over.subarray(-1), Buffer.from('\n\n')])])).toThrow(
      refusal,
    );
  });

  test('throws for a line with millions of values, which would take seconds to parse', () => {
    expect(() => converted([`data: {"choices":[],"a":[${'[],'.repeat(1_000_000)}1]}\n\n`])).toThrow(refusal);
  });

  test('throws if the lines of one event, but not of several events, are too long together', () => {
    const half = `data: ${'x'.repeat(5 * MIB)}\n`;
    expect(() => converted([half, half])).toThrow(refusal);
    const events = [half, 'data: y\n\n', half, 'data: y\n\n'];
    expect(converted(events)).toBe(events.join(''));
  });

  test('throws for an event that never ends', () => {
    const converter = new CompletionStream(PLAIN);
    const lines = Buffer.from('data:\n'.repeat(1000));
    expect(() => {
      for (let i = 0; i < 1000; i++) converter.push(lines);
    }).toThrow(refusal);
  });
});
