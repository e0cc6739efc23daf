import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { CHAT_USAGE } from '../../src/proxy/usage/chat-usage.js';
import { NO_USAGE, type TokenUsage } from '../../src/request-context/token-usage.js';

const reported = (inputTokens: number, outputTokens: number): TokenUsage => ({
  inputTokens,
  outputTokens,
  provenance: 'reported',
});

/** What each recorded stream costs. */
const STREAMS: readonly (readonly [string, TokenUsage])[] = [
  ['openai-with-usage.sse', reported(17, 42)],
  ['openai-without-usage.sse', NO_USAGE],
  ['null-usage-on-each-chunk.sse', reported(4, 5)],
  ['comments-and-event-lines.sse', reported(11, 12)],
  ['data-of-several-lines.sse', reported(21, 22)],
  ['azure.sse', reported(30, 31)],
  ['no-newline-at-the-end.sse', reported(1, 2)],
  ['usage-on-an-error-event.sse', reported(50, 51)],
  ['without-blank-lines.sse', reported(1, 3)],
  ['zero.sse', reported(0, 0)],
  ['gemini.ndjson', reported(6, 9)],
];

const recorded = (name: string): string =>
  readFileSync(new URL(`../fixtures/streams/${name}`, import.meta.url), 'utf8');
const typeOf = (name: string): string => (name.endsWith('.ndjson') ? 'application/x-ndjson' : 'text/event-stream');

function usage(type: string, pieces: readonly Buffer[], whole = true): TokenUsage {
  const reader = CHAT_USAGE.stream(type);
  // A copy that is wiped afterwards: a reader that keeps a chunk is found out.
  for (const piece of pieces) {
    const chunk = Buffer.from(piece);
    reader.push(chunk);
    chunk.fill(0x21);
  }
  return reader.end(whole);
}

describe.each(STREAMS)('%s', (name, expected) => {
  const variants: readonly (readonly [string, Buffer])[] = [
    ['as recorded', Buffer.from(recorded(name))],
    ['with CRLF', Buffer.from(recorded(name).replaceAll('\n', '\r\n'))],
    ['with CR', Buffer.from(recorded(name).replaceAll('\n', '\r'))],
    ['with a byte order mark', Buffer.from(`\ufeff${recorded(name)}`)],
    ['without its [DONE]', Buffer.from(recorded(name).replace('data: [DONE]', ''))],
  ];

  test.each(variants)('%s: the same usage wherever its bytes are cut', (_variant, bytes) => {
    const seen = new Set<string>();
    for (let cut = 0; cut <= bytes.length; cut++) {
      seen.add(JSON.stringify(usage(typeOf(name), [bytes.subarray(0, cut), bytes.subarray(cut)])));
    }
    expect([...seen]).toEqual([JSON.stringify(expected)]);
  });

  test.each(variants)('%s: the same usage byte by byte, and in pieces of every small size', (_variant, bytes) => {
    const seen = new Set<string>();
    for (let size = 1; size <= 40; size++) {
      const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) =>
        bytes.subarray(i * size, (i + 1) * size),
      );
      seen.add(JSON.stringify(usage(typeOf(name), pieces)));
    }
    expect([...seen]).toEqual([JSON.stringify(expected)]);
  });

  test('followed by a thousand quiet events in one chunk: the same usage', () => {
    const quiet = 'data: {"choices":[{"delta":{"content":"usage"}}]}\n\n'.repeat(1000);
    const bytes = Buffer.from(`${quiet}${recorded(name)}\n\n${name.endsWith('.sse') ? quiet : ''}`);
    expect(usage(typeOf(name), [bytes])).toEqual(expected);
  });
});

describe('a stream that is cut', () => {
  const before = 'data: {"choices":[{"delta":{"content":"x"}}]}\n\n';
  const report = 'data: {"choices":[],"usage":{"prompt_tokens":12,"completion_tokens":345,"total_tokens":357}}';

  test('gives what had been reported by then, and never a number that may have gone on', () => {
    const seen = new Set<string>();
    const bytes = Buffer.from(before + report);
    for (let cut = 0; cut <= bytes.length; cut++) {
      const { inputTokens, outputTokens, provenance } = usage('text/event-stream', [bytes.subarray(0, cut)], false);
      seen.add(`${inputTokens} ${outputTokens} ${provenance}`);
    }
    expect([...seen]).toEqual(['0 0 none', '12 0 partial', '12 345 reported']);
  });

  test('after a whole report is reported', () => {
    const bytes = Buffer.from(`${report}\n\n${before}${before.slice(0, 20)}`);
    expect(usage('text/event-stream', [bytes], false)).toEqual(reported(12, 345));
  });
});

describe('figures', () => {
  const oneChunk = (usageText: string): TokenUsage =>
    usage('text/event-stream', [Buffer.from(`data: {"choices":[],"usage":${usageText}}\n\n`)]);

  test('beyond what the database holds are clamped', () => {
    expect(oneChunk('{"prompt_tokens":9e15,"completion_tokens":2147483648}')).toEqual(
      reported(2_147_483_647, 2_147_483_647),
    );
  });

  test.each(['-1', '1.5', '"7"', 'null', 'true', '1e999', '{}', '[3]', 'NaN', ''])('like %p are left out', (value) => {
    expect(oneChunk(`{"prompt_tokens":${value},"completion_tokens":${value}}`)).toEqual(NO_USAGE);
    expect(oneChunk(`{"completion_tokens":3,"prompt_tokens":${value}}`)).toEqual(reported(0, 3));
  });

  test.each(['null', '[]', '"x"', '3', '{}', '{"total_tokens":5}'])(
    'a report that is %s is none, and an earlier one stands',
    (value) => {
      const earlier = 'data: {"usage":{"prompt_tokens":1,"completion_tokens":2}}\n\n';
      const bytes = Buffer.from(`${earlier}data: {"usage":${value}}\n\n`);
      expect(usage('text/event-stream', [bytes])).toEqual(reported(1, 2));
    },
  );

  test('of a nested object of the same name are not the report', () => {
    const bytes = Buffer.from(
      'data: {"x_groq":{"usage":{"prompt_tokens":8,"completion_tokens":9}},"usage":{"prompt_tokens":1,"completion_tokens":2},"y":{"usage":{"prompt_tokens":5,"completion_tokens":6}}}\n\n',
    );
    expect(usage('text/event-stream', [bytes])).toEqual(reported(1, 2));
  });
});
