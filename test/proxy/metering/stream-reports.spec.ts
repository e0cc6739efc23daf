import { describe, expect, jest, test } from '@jest/globals';
import { FieldWatcher } from '../../../src/platform/json/field-watcher.js';
import { USAGE_FORMATS } from '../../../src/proxy/metering/usage-formats.data.js';
import { NO_USAGE } from '../../../src/platform/request-context/token-usage.js';
import { buffered, partial, reported, streamed, type Route } from '../../support/metered.js';

/** Returns the usage of a stream of these events. A string is sent unchanged. */
function usageOf(route: Route, events: readonly (object | string)[], whole = true) {
  const reader = streamed(route);
  const texts = events.map((event) => (typeof event === 'string' ? event : JSON.stringify(event)));
  for (const text of texts) reader.push(Buffer.from(`data: ${text}\n\n`));
  return reader.end(whole);
}
const usage = (figures: object) => ({ usage: figures });
const started = (figures: object) => ({ type: 'message_start', message: usage(figures) });

const MESSAGE_STEP = { type: 'message', input_tokens: 7, output_tokens: 3 };

describe('usage of a Messages stream', () => {
  test.each([
    ['reported at the start', [started({ input_tokens: 7 }), usage({ output_tokens: 3 })], reported(7, 3)],
    [
      'reported as more later',
      [started({ input_tokens: 7 }), usage({ input_tokens: 9, output_tokens: 3 })],
      reported(9, 3),
    ],
    [
      'reported as 0 later',
      [started({ input_tokens: 7 }), usage({ input_tokens: 0, output_tokens: 3 })],
      reported(7, 3),
    ],
    [
      'including steps that the totals omit',
      [
        started({ input_tokens: 7 }),
        usage({
          output_tokens: 3,
          iterations: [{ type: 'compaction', input_tokens: 90, output_tokens: 5 }, MESSAGE_STEP],
        }),
      ],
      reported(97, 8),
    ],
    ['reported only at the end', [usage({ input_tokens: 7 }), usage({ output_tokens: 3 })], reported(7, 3)],
    ['not reported', [usage({ output_tokens: 3 })], partial(0, 3)],
    ['reported as 0 at the start', [started({ input_tokens: 0 }), usage({ output_tokens: 3 })], reported(0, 3)],
    ['reported with alternative field names', [usage({ prompt_tokens: 7, completion_tokens: 3 })], reported(7, 3)],
    ['reported as 0 only', [usage({ input_tokens: 0, output_tokens: 3 })], reported(0, 3)],
  ])('reads the usage of a Messages stream, interrupted or whole, with input %s', (_how, events, expected) => {
    expect(usageOf('messages', events)).toEqual(expected);
    expect(usageOf('messages', events, false)).toEqual(expected);
  });

  test('the last output above 0 in a Messages stream is used', () => {
    const events = [started({ input_tokens: 7, output_tokens: 1 }), usage({ output_tokens: 3 })];
    expect(usageOf('messages', [...events, usage({ output_tokens: 9 })])).toEqual(reported(7, 9));
    expect(usageOf('messages', [...events, usage({ output_tokens: 0 })])).toEqual(reported(7, 3));
    expect(usageOf('messages', [...events, usage({ input_tokens: 7 })])).toEqual(reported(7, 3));
    expect(usageOf('messages', [...events, usage({ service_tier: 'x' }), started({})])).toEqual(reported(7, 3));
  });

  test('the usage of a whole Messages stream without an output report is partial', () => {
    expect(usageOf('messages', [started({ input_tokens: 7, output_tokens: 1 })])).toEqual(partial(7, 0));
    expect(usageOf('messages', [started({ output_tokens: 1 })])).toEqual(NO_USAGE);
  });
});

describe('usage of a Responses stream', () => {
  const event = (figures: object | null) => ({ type: 'response.completed', response: { usage: figures } });

  test('the last report in a Responses stream is used, inside or outside `response`', () => {
    const one = { input_tokens: 1, output_tokens: 2 };
    const two = { input_tokens: 3, output_tokens: 4 };
    expect(usageOf('responses', [event(one), event(two), event(null), event({})])).toEqual(reported(3, 4));
    expect(usageOf('responses', [event(one), usage(two)])).toEqual(reported(3, 4));
    expect(usageOf('responses', [event({ prompt_tokens: 5, completion_tokens: 6 })])).toEqual(reported(5, 6));
  });

  test('a single count in a Responses stream is partial', () => {
    expect(usageOf('responses', [event({ input_tokens: 1 })])).toEqual(partial(1, 0));
    expect(usageOf('responses', [event({ input_tokens: 1 })], false)).toEqual(partial(1, 0));
  });
});

test('a single count in a chat stream is partial, unless the total gives the other count', () => {
  expect(usageOf('chat', [usage({ prompt_tokens: 1 })])).toEqual(partial(1, 0));
  expect(usageOf('chat', [usage({ prompt_tokens: 1, total_tokens: 5 })])).toEqual(reported(1, 4));
  expect(usageOf('chat', [usage({ prompt_tokens: 1 })], false)).toEqual(partial(1, 0));
});

describe('responses whose format differs from their content type', () => {
  const report = { usage: { prompt_tokens: 3, completion_tokens: 4 } };
  const events = `data: {"choices":[]}\n\ndata: ${JSON.stringify(report)}\n\ndata: [DONE]\n\n`;
  const long = JSON.stringify({ ...report, data: 'A'.repeat(100_000) });
  const chunks =
    '[{"choices":[]}\n,{"usage":{"prompt_tokens":3}}\n,{"usage":{"prompt_tokens":3,"completion_tokens":4}}]';

  test.each(['text/event-stream', 'application/json', 'application/x-ndjson', 'text/plain', ''])(
    'reads a response by its actual format if its content type is %j',
    (type) => {
      for (const text of [events, `\n\n${events}`, `\ufeff${events}`, long, ` \n ${long}`, `\ufeff${long}`, chunks]) {
        for (const size of [1, 7, text.length]) {
          if (size === 1 && text.length > 1000) continue;
          const reader = streamed('chat', type);
          const bytes = Buffer.from(text);
          for (let at = 0; at < bytes.length; at += size) reader.push(bytes.subarray(at, at + size));
          expect([text.slice(0, 40), size, reader.end(true)]).toEqual([text.slice(0, 40), size, reported(3, 4)]);
        }
      }
    },
  );

  test('keeps the usage that a JSON response reported before it was interrupted', () => {
    const reader = streamed('chat', 'application/json');
    reader.push(Buffer.from(long.slice(0, -10)));
    expect(reader.end(false)).toEqual(reported(3, 4));
  });
});

test('reads the usage of an embeddings stream', () => {
  expect(usageOf('embeddings', [usage({ prompt_tokens: 9 })])).toEqual(reported(9, 0));
});

test.each<[Route, string, ReturnType<typeof reported>]>([
  ['chat', '{"usage":{"prompt_tokens":1}}', partial(1, 0)],
  ['chat', '{"usage":{"prompt_tokens":1,"total_tokens":5}}', reported(1, 4)],
  ['messages', '{"usage":{"input_tokens":1}}', partial(1, 0)],
  ['messages', '{"usage":{"input_tokens":1,"output_tokens":2,"iterations":[{"input_tokens":9}]}}', reported(9, 2)],
  ['responses', '{"usage":{"output_tokens":2}}', partial(0, 2)],
  ['embeddings', '{"usage":{"prompt_tokens":1,"total_tokens":5}}', reported(1, 0)],
  ['embeddings', '{"usage":{"prompt_tokens":1,"completion_tokens":2}}', reported(1, 0)],
  ['embeddings', '{"usage":{"total_tokens":5}}', reported(5, 0)],
  ['completions', '{"usage":{"prompt_tokens":1}}', partial(1, 0)],
])('a whole %s response that reports one of two counts is partial: %s', (route, body, expected) => {
  expect(buffered(route, Buffer.from(body))).toEqual(expected);
});

test('text is estimated on both sides of all routes except embeddings, media and units', () => {
  const estimates = Object.entries(USAGE_FORMATS).map(([route, reader]) => [route, reader.estimates]);
  expect(estimates.filter(([, sides]) => sides !== 'request and response')).toEqual([
    ['embeddings', 'request'],
    ['media', 'nothing'],
    ['units', 'nothing'],
  ]);
});

describe('usage of image, speech and transcription responses', () => {
  const tokens = usage({ type: 'tokens', input_tokens: 12, output_tokens: 272, total_tokens: 284 });
  const image = { type: 'image_generation.completed', b64_json: 'A'.repeat(100_000), ...tokens };

  test.each([
    ['an image', [{ type: 'image_generation.partial_image', b64_json: 'AAAA' }, image]],
    [
      'a transcript',
      [
        { type: 'transcript.text.delta', delta: 'a' },
        { type: 'transcript.text.done', ...tokens },
      ],
    ],
    ['speech', [{ type: 'speech.audio.delta', audio: 'AAAA' }, { type: 'speech.audio.done', ...tokens }, '[DONE]']],
  ])('reads the usage from the last event of %s', (_what, events) => {
    expect(usageOf('media', events)).toEqual(reported(12, 272));
  });

  test('a media stream that was interrupted before its last event has no usage', () => {
    expect(usageOf('media', [{ type: 'transcript.text.delta', delta: 'a' }], false)).toEqual(NO_USAGE);
  });

  test('reads the usage of a whole media response only if it is in tokens', () => {
    const usageIn = (body: object) => buffered('media', Buffer.from(JSON.stringify(body)));
    expect(usageIn({ created: 1, data: [{ b64_json: 'AAAA' }], ...tokens })).toEqual(reported(12, 272));
    expect(usageIn({ text: 'Hello.', usage: { type: 'duration', seconds: 3 } })).toEqual(NO_USAGE);
    expect(usageIn({ created: 1, data: [{ url: 'https://images.example/1.png' }] })).toEqual(NO_USAGE);
  });

  test('does not search audio for usage', () => {
    const reader = streamed('media', 'audio/mpeg');
    reader.push(Buffer.from(`data: ${JSON.stringify(tokens)}\n\n`));
    expect(reader.end(true)).toEqual(NO_USAGE);
  });
});

describe('usage reports of null', () => {
  const withUsage = { usage: { prompt_tokens: 1, completion_tokens: 2 } };

  test.each(['{"usage":null}', '{"usage": null}', '{"usage" : null}', '{"usage":null,"usageMetadata":null}'])(
    'an event with %s does not change an earlier report',
    (withoutUsage) => {
      expect(usageOf('chat', [withUsage, withoutUsage])).toEqual(reported(1, 2));
    },
  );

  test('a usage of null does not hide another report in the same payload', () => {
    const both = '{"usage":null,"usageMetadata":{"promptTokenCount":3,"candidatesTokenCount":4}}';
    expect(usageOf('chat', [both])).toEqual(reported(3, 4));
  });

  test.each(['null', ' null'])('an event with "usage":%s after a report costs one search', (written) => {
    const reader = streamed('chat', 'text/event-stream');
    const quiet = `data: {"usage":${written}}\n\n`.repeat(1000);
    const chunk = Buffer.from(`data: ${JSON.stringify(withUsage)}\n\n${quiet}`);
    const search = jest.spyOn(chunk, 'indexOf');
    reader.push(chunk);
    // One of them is the search for an error. Searches for a number are those for line ends.
    expect(search.mock.calls.filter(([what]) => typeof what !== 'number').length).toBe(1003);
    expect(reader.end(true)).toEqual(reported(1, 2));
  });
});

test('does not parse events without a sign of a usage report or an error', () => {
  const watch = jest.spyOn(FieldWatcher.prototype, 'push');
  const reader = streamed('chat');
  const events = ['{"a":1}', '{"abc":null}', '{"usage":null}', '{"usage": null}', '{"usages":1}', '{"a":"an error"}'];
  for (const event of events) reader.push(Buffer.from(`data: ${event}\n\n`));
  expect(reader.end(true)).toEqual(NO_USAGE);
  const read = watch.mock.calls.map(([chunk]) => chunk.toString().trim());
  watch.mockRestore();
  expect(read).toEqual(['{"usages":1}', '{"a":"an error"}']);
});

test('searches a chunk for event ends at most once if its events end with CR', () => {
  const search = jest.spyOn(Buffer.prototype, 'lastIndexOf');
  const reader = streamed('chat');
  reader.push(Buffer.from('data: {"a":1}\r\r'.repeat(50)));
  expect(search.mock.calls.length).toBeLessThanOrEqual(2);
  search.mockRestore();
  expect(reader.end(true)).toEqual(NO_USAGE);
});

test('reads a payload that begins with spaces', () => {
  expect(usageOf('chat', ['  {"usage":{"prompt_tokens":1,"completion_tokens":2}}'])).toEqual(reported(1, 2));
});
