import { describe, expect, jest, test } from '@jest/globals';
import { MemberWatcher } from '../../src/json/member-watcher.js';
import { USAGE_FORMATS } from '../../src/proxy/metering/usage-formats.data.js';
import { NO_USAGE } from '../../src/request-context/token-usage.js';
import { buffered, partial, reported, streamed, type Route } from '../support/metered.js';

/** What a stream of these events costs; one that is a string is sent as it is. */
function cost(route: Route, events: readonly (object | string)[], whole = true) {
  const reader = streamed(route);
  const texts = events.map((event) => (typeof event === 'string' ? event : JSON.stringify(event)));
  for (const text of texts) reader.push(Buffer.from(`data: ${text}\n\n`));
  return reader.end(whole);
}
const usage = (figures: object) => ({ usage: figures });
const started = (figures: object) => ({ type: 'message_start', message: usage(figures) });

const MESSAGE_STEP = { type: 'message', input_tokens: 7, output_tokens: 3 };

describe('a stream of messages', () => {
  test.each([
    ['is told at its start', [started({ input_tokens: 7 }), usage({ output_tokens: 3 })], reported(7, 3)],
    [
      'is told more of later',
      [started({ input_tokens: 7 }), usage({ input_tokens: 9, output_tokens: 3 })],
      reported(9, 3),
    ],
    [
      'is told less of later',
      [started({ input_tokens: 7 }), usage({ input_tokens: 0, output_tokens: 3 })],
      reported(7, 3),
    ],
    [
      'has steps that its totals leave out',
      [
        started({ input_tokens: 7 }),
        usage({
          output_tokens: 3,
          iterations: [{ type: 'compaction', input_tokens: 90, output_tokens: 5 }, MESSAGE_STEP],
        }),
      ],
      reported(97, 8),
    ],
    ['is told at the end alone', [usage({ input_tokens: 7 }), usage({ output_tokens: 3 })], reported(7, 3)],
    ['is not told', [usage({ output_tokens: 3 })], partial(0, 3)],
    ['is nothing at its start', [started({ input_tokens: 0 }), usage({ output_tokens: 3 })], reported(0, 3)],
    ['is told by other names', [usage({ prompt_tokens: 7, completion_tokens: 3 })], reported(7, 3)],
    ['is nothing', [usage({ input_tokens: 0, output_tokens: 3 })], reported(0, 3)],
  ])('whose input %s', (_how, events, expected) => {
    expect(cost('messages', events)).toEqual(expected);
    expect(cost('messages', events, false)).toEqual(expected);
  });

  test('costs the last output that is not 0', () => {
    const events = [started({ input_tokens: 7, output_tokens: 1 }), usage({ output_tokens: 3 })];
    expect(cost('messages', [...events, usage({ output_tokens: 9 })])).toEqual(reported(7, 9));
    expect(cost('messages', [...events, usage({ output_tokens: 0 })])).toEqual(reported(7, 3));
    expect(cost('messages', [...events, usage({ input_tokens: 7 })])).toEqual(reported(7, 3));
    expect(cost('messages', [...events, usage({ service_tier: 'x' }), started({})])).toEqual(reported(7, 3));
  });

  test('that ends before its output was told has but a part of its usage, though it came whole', () => {
    expect(cost('messages', [started({ input_tokens: 7, output_tokens: 1 })])).toEqual(partial(7, 0));
    expect(cost('messages', [started({ output_tokens: 1 })])).toEqual(NO_USAGE);
  });
});

describe('a stream of responses', () => {
  const event = (figures: object | null) => ({ type: 'response.completed', response: { usage: figures } });

  test('costs what its last report says, in the response or beside it', () => {
    const one = { input_tokens: 1, output_tokens: 2 };
    const two = { input_tokens: 3, output_tokens: 4 };
    expect(cost('responses', [event(one), event(two), event(null), event({})])).toEqual(reported(3, 4));
    expect(cost('responses', [event(one), usage(two)])).toEqual(reported(3, 4));
    expect(cost('responses', [event({ prompt_tokens: 5, completion_tokens: 6 })])).toEqual(reported(5, 6));
  });

  test('that came whole with one figure has told all there is', () => {
    expect(cost('responses', [event({ input_tokens: 1 })])).toEqual(reported(1, 0));
    expect(cost('responses', [event({ input_tokens: 1 })], false)).toEqual(partial(1, 0));
  });
});

test('a stream of chat that came whole with one figure has told all there is', () => {
  expect(cost('chat', [usage({ prompt_tokens: 1 })])).toEqual(reported(1, 0));
  expect(cost('chat', [usage({ prompt_tokens: 1 })], false)).toEqual(partial(1, 0));
});

describe('a response whose format differs from its content type', () => {
  const report = { usage: { prompt_tokens: 3, completion_tokens: 4 } };
  const events = `data: {"choices":[]}\n\ndata: ${JSON.stringify(report)}\n\ndata: [DONE]\n\n`;
  const long = JSON.stringify({ ...report, data: 'A'.repeat(100_000) });
  const chunks =
    '[{"choices":[]}\n,{"usage":{"prompt_tokens":3}}\n,{"usage":{"prompt_tokens":3,"completion_tokens":4}}]';

  test.each(['text/event-stream', 'application/json', 'application/x-ndjson', 'text/plain', ''])(
    'is read as what it is: %j',
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

  test('is JSON that was cut: what it had reported stands', () => {
    const reader = streamed('chat', 'application/json');
    reader.push(Buffer.from(long.slice(0, -10)));
    expect(reader.end(false)).toEqual(reported(3, 4));
  });
});

test('a stream of embeddings is read as one of chat', () => {
  expect(cost('embeddings', [usage({ prompt_tokens: 9 })])).toEqual(reported(9, 0));
});

test.each<[Route, string, ReturnType<typeof reported>]>([
  ['chat', '{"usage":{"prompt_tokens":1}}', reported(1, 0)],
  ['messages', '{"usage":{"input_tokens":1}}', reported(1, 0)],
  ['messages', '{"usage":{"input_tokens":1,"output_tokens":2,"iterations":[{"input_tokens":9}]}}', reported(9, 2)],
  ['responses', '{"usage":{"output_tokens":2}}', reported(0, 2)],
  ['embeddings', '{"usage":{"prompt_tokens":1,"total_tokens":5}}', reported(1, 0)],
  ['embeddings', '{"usage":{"prompt_tokens":1,"completion_tokens":2}}', reported(1, 0)],
  ['embeddings', '{"usage":{"total_tokens":5}}', reported(5, 0)],
  ['completions', '{"usage":{"prompt_tokens":1}}', reported(1, 0)],
])('a whole answer of %s with one figure has told all there is: %s', (route, body, expected) => {
  expect(buffered(route, Buffer.from(body))).toEqual(expected);
});

test('text is counted on both sides of all routes but embeddings and media', () => {
  const estimates = Object.entries(USAGE_FORMATS).map(([route, reader]) => [route, reader.estimates]);
  expect(estimates.filter(([, counted]) => counted !== 'request and answer')).toEqual([
    ['embeddings', 'request'],
    ['media', 'nothing'],
  ]);
});

describe('images, speech and transcriptions', () => {
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
  ])('cost what the event says that ends %s', (_what, events) => {
    expect(cost('media', events)).toEqual(reported(12, 272));
  });

  test('cost nothing where a stream was cut before that event', () => {
    expect(cost('media', [{ type: 'transcript.text.delta', delta: 'a' }], false)).toEqual(NO_USAGE);
  });

  test('cost what a whole answer says in tokens', () => {
    const told = (body: object) => buffered('media', Buffer.from(JSON.stringify(body)));
    expect(told({ created: 1, data: [{ b64_json: 'AAAA' }], ...tokens })).toEqual(reported(12, 272));
    expect(told({ text: 'Hello.', usage: { type: 'duration', seconds: 3 } })).toEqual(NO_USAGE);
    expect(told({ created: 1, data: [{ url: 'https://images.example/1.png' }] })).toEqual(NO_USAGE);
  });

  test('are not looked through where they are no events', () => {
    const reader = streamed('media', 'audio/mpeg');
    reader.push(Buffer.from(`data: ${JSON.stringify(tokens)}\n\n`));
    expect(reader.end(true)).toEqual(NO_USAGE);
  });
});

describe('a report of null', () => {
  const telling = { usage: { prompt_tokens: 1, completion_tokens: 2 } };

  test.each([...['{"usage":null}', '{"usage": null}', '{"usage" : null}', '{"usage":null,"usageMetadata":null}']])(
    'like %s leaves an earlier one as it is',
    (dull) => {
      expect(cost('chat', [telling, dull])).toEqual(reported(1, 2));
    },
  );

  test('does not hide another one of the same payload', () => {
    const both = '{"usage":null,"usageMetadata":{"promptTokenCount":3,"candidatesTokenCount":4}}';
    expect(cost('chat', [both])).toEqual(reported(3, 4));
  });

  test.each(['null', ' null'])('written :%s costs one search, however many follow a report', (written) => {
    const reader = streamed('chat', 'text/event-stream');
    const quiet = `data: {"usage":${written}}\n\n`.repeat(1000);
    const chunk = Buffer.from(`data: ${JSON.stringify(telling)}\n\n${quiet}`);
    const search = jest.spyOn(chunk, 'indexOf');
    reader.push(chunk);
    // One more is the search for an error. The others are those for line ends.
    expect(search.mock.calls.filter(([what]) => typeof what !== 'number').length).toBe(1003);
    expect(reader.end(true)).toEqual(reported(1, 2));
  });
});

test('events without a mark of a report or an error are not read', () => {
  const watch = jest.spyOn(MemberWatcher.prototype, 'push');
  const reader = streamed('chat');
  const events = ['{"a":1}', '{"abc":null}', '{"usage":null}', '{"usage": null}', '{"usages":1}', '{"a":"an error"}'];
  for (const event of events) reader.push(Buffer.from(`data: ${event}\n\n`));
  expect(reader.end(true)).toEqual(NO_USAGE);
  const read = watch.mock.calls.map(([chunk]) => chunk.toString().trim());
  watch.mockRestore();
  expect(read).toEqual(['{"usages":1}', '{"a":"an error"}']);
});

test('events that end by CR, and cannot be skipped, are searched for their ends once', () => {
  const search = jest.spyOn(Buffer.prototype, 'lastIndexOf');
  const reader = streamed('chat');
  reader.push(Buffer.from('data: {"a":1}\r\r'.repeat(50)));
  expect(search.mock.calls.length).toBeLessThanOrEqual(2);
  search.mockRestore();
  expect(reader.end(true)).toEqual(NO_USAGE);
});

test('a payload that begins with blanks is read', () => {
  expect(cost('chat', ['  {"usage":{"prompt_tokens":1,"completion_tokens":2}}'])).toEqual(reported(1, 2));
});
