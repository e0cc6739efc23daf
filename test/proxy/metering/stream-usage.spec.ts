import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { NO_USAGE, type TokenUsage } from '../../../src/platform/request-context/token-usage.js';
import { buffered, partial, reported, streamed, type Route } from '../../support/metered.js';

/** The usage of each recorded stream. */
const STREAMS: readonly (readonly [string, TokenUsage, Route])[] = [
  ['openai-with-usage.sse', reported(17, 42), 'chat'],
  ['openai-without-usage.sse', NO_USAGE, 'chat'],
  ['null-usage-on-each-chunk.sse', reported(4, 5), 'chat'],
  ['comments-and-event-lines.sse', reported(11, 12), 'chat'],
  ['data-of-several-lines.sse', reported(21, 22), 'chat'],
  ['azure.sse', reported(30, 31), 'chat'],
  ['no-newline-at-the-end.sse', reported(1, 2), 'chat'],
  ['usage-on-an-error-event.sse', reported(50, 51), 'chat'],
  ['without-blank-lines.sse', reported(1, 3), 'chat'],
  ['zero.sse', reported(0, 0), 'chat'],
  ['gemini.ndjson', reported(6, 9), 'chat'],
  ['x-groq.sse', reported(18, 33), 'chat'],
  ['usage-in-the-choice.sse', reported(19, 13), 'chat'],
  ['usage-on-each-chunk.sse', reported(9, 2), 'chat'],
  ['zeros-at-the-end.sse', reported(14, 6), 'chat'],
  // Some providers send the format of another route.
  ['responses.sse', reported(36, 87), 'chat'],
  ['openai-with-usage.sse', reported(17, 42), 'responses'],
  ['completions.sse', reported(5, 2), 'completions'],
  // Emulated completions are metered on the upstream's response, which has the chat format.
  ['openai-with-usage.sse', reported(17, 42), 'completions'],
  ['messages.sse', reported(25, 15), 'messages'],
  ['messages-input-repeated.sse', reported(40, 19), 'messages'],
  ['messages-input-replaced.sse', reported(20, 12), 'messages'],
  ['messages-ended-by-an-error.sse', { inputTokens: 25, outputTokens: 0, provenance: 'partial' }, 'messages'],
  ['messages.ndjson', reported(3, 2), 'messages'],
  ['gemini.ndjson', reported(6, 9), 'messages'],
  ['responses.sse', reported(36, 87), 'responses'],
  ['responses-incomplete.sse', reported(10, 16), 'responses'],
  ['responses-failed.sse', reported(10, 16), 'responses'],
  ['responses-without-usage-at-the-end.sse', reported(8, 4), 'responses'],
];

const recorded = (name: string): string =>
  readFileSync(new URL(`../../fixtures/streams/${name}`, import.meta.url), 'utf8');
const typeOf = (name: string): string => (name.endsWith('.ndjson') ? 'application/x-ndjson' : 'text/event-stream');

function usage(type: string, pieces: readonly Buffer[], whole = true, of: Route = 'chat'): TokenUsage {
  const reader = streamed(of, type);
  // Each chunk is a copy that is overwritten afterwards, so that a reader that keeps a chunk fails the test.
  for (const piece of pieces) {
    const chunk = Buffer.from(piece);
    reader.push(chunk);
    chunk.fill(0x21);
  }
  return reader.end(whole);
}

describe.each(STREAMS)('usage of %s', (name, expected, route) => {
  const variants: readonly (readonly [string, Buffer])[] = [
    ['as recorded', Buffer.from(recorded(name))],
    ['with CRLF', Buffer.from(recorded(name).replaceAll('\n', '\r\n'))],
    ['with CR', Buffer.from(recorded(name).replaceAll('\n', '\r'))],
    ['with a byte order mark', Buffer.from(`\ufeff${recorded(name)}`)],
    ['without [DONE]', Buffer.from(recorded(name).replace('data: [DONE]', ''))],
  ];

  test.each(variants)('reads the same usage from the stream %s wherever it is split in two', (_variant, bytes) => {
    const seen = new Set<string>();
    for (let cut = 0; cut <= bytes.length; cut++) {
      seen.add(JSON.stringify(usage(typeOf(name), [bytes.subarray(0, cut), bytes.subarray(cut)], true, route)));
    }
    expect([...seen]).toEqual([JSON.stringify(expected)]);
  });

  test.each(variants)('reads the same usage from the stream %s in pieces of 1 to 40 bytes', (_variant, bytes) => {
    const seen = new Set<string>();
    for (let size = 1; size <= 40; size++) {
      const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) =>
        bytes.subarray(i * size, (i + 1) * size),
      );
      seen.add(JSON.stringify(usage(typeOf(name), pieces, true, route)));
    }
    expect([...seen]).toEqual([JSON.stringify(expected)]);
  });

  test('reads the same usage between thousands of events without usage in one chunk', () => {
    const event = '{"choices":[{"delta":{"content":"usage"}}]}\n';
    const quiet = (name.endsWith('.sse') ? `data: ${event}\n` : event).repeat(1000);
    const bytes = Buffer.from(`${quiet}${recorded(name)}\n\n${quiet}`);
    expect(usage(typeOf(name), [bytes], true, route)).toEqual(expected);
  });
});

describe('usage of an interrupted stream', () => {
  const before = 'data: {"choices":[{"delta":{"content":"x"}}]}\n\n';
  const report = 'data: {"choices":[],"usage":{"prompt_tokens":12,"completion_tokens":345,"total_tokens":357}}';

  test('reports the counts that arrived before the interruption, and never a truncated number', () => {
    const seen = new Set<string>();
    const bytes = Buffer.from(before + report);
    for (let cut = 0; cut <= bytes.length; cut++) {
      const { inputTokens, outputTokens, provenance } = usage('text/event-stream', [bytes.subarray(0, cut)], false);
      seen.add(`${inputTokens} ${outputTokens} ${provenance}`);
    }
    expect([...seen]).toEqual(['0 0 none', '12 0 partial', '12 345 reported']);
  });

  test('a complete report before the interruption counts as reported, not partial', () => {
    const bytes = Buffer.from(`${report}\n\n${before}${before.slice(0, 20)}`);
    expect(usage('text/event-stream', [bytes], false)).toEqual(reported(12, 345));
  });
});

test('a reported output of 0 makes the usage partial only if the stream was interrupted', () => {
  const bytes = Buffer.from('data: {"choices":[],"usage":{"prompt_tokens":12,"completion_tokens":0}}\n\n');
  expect(usage('text/event-stream', [bytes], false)).toEqual({
    inputTokens: 12,
    outputTokens: 0,
    provenance: 'partial',
  });
  expect(usage('text/event-stream', [bytes], true)).toEqual(reported(12, 0));
});

describe('token counts in a stream', () => {
  const oneChunk = (usageText: string): TokenUsage =>
    usage('text/event-stream', [Buffer.from(`data: {"choices":[],"usage":${usageText}}\n\n`)]);

  test('a count above the maximum discards the whole report', () => {
    expect(oneChunk('{"prompt_tokens":2147483647,"completion_tokens":0}')).toEqual(reported(2_147_483_647, 0));
    expect(oneChunk('{"prompt_tokens":9,"completion_tokens":2147483648}')).toEqual(NO_USAGE);
    expect(oneChunk('{"prompt_tokens":9e15,"completion_tokens":9}')).toEqual(NO_USAGE);
  });

  test.each(['-1', '1.5', '"7"', 'null', 'true', '1e999', '{}', '[3]', 'NaN', ''])('ignores a count of %s', (value) => {
    expect(oneChunk(`{"prompt_tokens":${value},"completion_tokens":${value}}`)).toEqual(NO_USAGE);
    expect(oneChunk(`{"completion_tokens":3,"prompt_tokens":${value}}`)).toEqual(partial(0, 3));
  });

  test.each(['null', '[]', '"x"', '3', '{}', '{"total_tokens":5}'])(
    'a report of %s does not replace an earlier report',
    (value) => {
      const earlier = 'data: {"usage":{"prompt_tokens":1,"completion_tokens":2}}\n\n';
      const bytes = Buffer.from(`${earlier}data: {"usage":${value}}\n\n`);
      expect(usage('text/event-stream', [bytes])).toEqual(reported(1, 2));
    },
  );

  test('nested objects named usage do not replace the top-level report', () => {
    const bytes = Buffer.from(
      'data: {"x_groq":{"usage":{"prompt_tokens":8,"completion_tokens":9}},"usage":{"prompt_tokens":1,"completion_tokens":2},"y":{"usage":{"prompt_tokens":5,"completion_tokens":6}}}\n\n',
    );
    expect(usage('text/event-stream', [bytes])).toEqual(reported(1, 2));
  });
});

describe('usage of an interrupted Messages stream', () => {
  test('reports the input once it has arrived, and never the first tokens as the output', () => {
    const bytes = Buffer.from(recorded('messages.sse'));
    const seen = new Set<string>();
    for (let cut = 0; cut <= bytes.length; cut++) {
      const cutUsage = usage('text/event-stream', [bytes.subarray(0, cut)], false, 'messages');
      seen.add(`${cutUsage.inputTokens} ${cutUsage.outputTokens} ${cutUsage.provenance}`);
    }
    expect([...seen]).toEqual(['0 0 none', '25 0 partial', '25 15 reported']);
  });
});

describe('usage of a whole response by route', () => {
  test.each<[Route, string, TokenUsage]>([
    ['completions', '{"choices":[{"text":"a"}],"usage":{"prompt_tokens":1,"completion_tokens":2}}', reported(1, 2)],
    [
      'messages',
      '{"content":[{"type":"text","text":"a"}],"usage":{"input_tokens":1,"cache_read_input_tokens":9,"output_tokens":2}}',
      reported(1, 2),
    ],
    [
      'responses',
      '{"output":[{"usage":{"input_tokens":8}}],"usage":{"input_tokens":1,"output_tokens":2},"user":null}',
      reported(1, 2),
    ],
    ['embeddings', '{"data":[],"usage":{"prompt_tokens":9,"total_tokens":9}}', reported(9, 0)],
    ['embeddings', '{"data":[],"usage":{"total_tokens":9}}', reported(9, 0)],
    ['embeddings', '{"data":[],"usage":{"completion_tokens":2,"total_tokens":9}}', reported(9, 0)],
    ['messages', '{"content":[]}', NO_USAGE],
    ['responses', '{"output":[],"usage":null}', NO_USAGE],
  ])('reads the usage of a whole %s response: %s', (route, body, expected) => {
    expect(buffered(route, Buffer.from(body))).toEqual(expected);
  });
});
