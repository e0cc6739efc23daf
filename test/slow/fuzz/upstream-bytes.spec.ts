import { readdirSync, readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, describe, jest } from '@jest/globals';
import { excerptOf } from '../../../src/audit/events/delivery/delivery-retry.rules.js';
import type { ModelEntry } from '../../../src/model-policy/model-list.service.js';
import { parseCatalog, withoutSecrets } from '../../../src/model-policy/parse-catalog.js';
import { verdictOf } from '../../../src/model-policy/probe/upstream-probe.js';
import { CompletionConverter } from '../../../src/proxy/completions/completion-emulation.service.js';
import { anthropicModel } from '../../../src/proxy/models/model-list-bytes.service.js';
import { messageIn, upstreamRefused } from '../../../src/proxy/upstream-refusal.js';
import { responseText } from '../../../src/proxy/metering/estimate/response-text.js';
import { scanModel } from '../../../src/proxy/response-model.js';
import { USAGE_FORMATS } from '../../../src/proxy/metering/usage-formats.data.js';
import type { TokenUsage } from '../../../src/platform/request-context/token-usage.js';
import { forwardedResponseHeaders } from '../../../src/upstream/response-headers.js';
import { chatCompletion, MODELS } from '../../support/scripted-upstream-responses.js';
import { buffered, streamed, type Route } from '../../support/metered.js';
import { fakeOnly } from '../../support/fake-timers.js';
import { ScriptedExchanges } from '../../support/scripted-exchange.js';
import type { Dice } from '../../fuzz/dice.js';
import { fuzz, must, mustBeRefusal } from '../../fuzz/fuzz.js';
import { hostileJson, SECRET } from './hostile-json.js';
import { hostileCase, mustBeSafe, requestOf, responseOf, type HostileCase } from './hostile-provider.js';
import { mutateBytes, mutateText } from '../../fuzz/mutate.js';

const FOLDER = new URL('../../fixtures/streams/', import.meta.url);
const STREAMS = readdirSync(FOLDER).map((name) => readFileSync(new URL(name, FOLDER)));
const STREAM_PIECES = [
  'data: ',
  'data:',
  '\n\n',
  '\r\n\r\n',
  '\r',
  'event: message_delta\n',
  ': comment\n',
  '[DONE]',
  '\ufeff',
  '{}',
  '[]',
  '}',
  '"usage":{"prompt_tokens":1,"completion_tokens":2}',
  '"usage":null',
  '"usageMetadata":{"promptTokenCount":1e9}',
  '-1',
  '"usage":{"input_tokens":1e308,"output_tokens":-5}',
  '"response":{"usage":{"input_tokens":1.5}}',
  '\\u0022',
  '"choices":[]',
].map((piece) => Buffer.from(piece));
const hostileBytes = (dice: Dice, json: Buffer): Buffer =>
  Buffer.from(hostileJson(dice, JSON.parse(json.toString())).text, 'latin1');

const TYPES = ['text/event-stream', 'application/x-ndjson', 'application/json', ''];
const READERS = Object.keys(USAGE_FORMATS) as readonly Route[];

function inPieces(dice: Dice, bytes: Buffer): Buffer[] {
  const cuts = Array.from({ length: dice.int(6) }, () => dice.int(bytes.length + 1)).sort((a, b) => a - b);
  return [...cuts, bytes.length].map((cut, at) => bytes.subarray(cuts[at - 1] ?? 0, cut));
}

function mustBeFigures({ inputTokens, outputTokens, provenance }: TokenUsage): void {
  for (const figure of [inputTokens, outputTokens])
    must(Number.isSafeInteger(figure) && figure >= 0, `${figure} is not a token count`);
  must(provenance !== 'none' || inputTokens + outputTokens === 0, 'tokens from nowhere');
}

describe('upstream streams', () => {
  fuzz({
    holds: 'a stream is metered the same regardless of chunk boundaries, in non-negative integers',
    share: 0.03,
    make: (dice) => {
      const bytes = mutateBytes(dice, dice.pick(STREAMS), STREAM_PIECES);
      return {
        reader: dice.pick(READERS),
        type: dice.pick(TYPES),
        pieces: inPieces(dice, bytes),
        whole: dice.oneIn(2),
      };
    },
    check: ({ reader, type, pieces, whole }) => {
      const [cut, uncut] = [streamed(reader, type), streamed(reader, type)];
      for (const piece of pieces) cut.push(piece);
      uncut.push(Buffer.concat(pieces));
      const figures = cut.end(whole);
      mustBeFigures(figures);
      must(isDeepStrictEqual(uncut.end(whole), figures), 'different counts when truncated');
      must(isDeepStrictEqual(uncut.errors, cut.errors), 'different errors when truncated');
      mustBeFigures(buffered(reader, Buffer.concat(pieces)));
      responseText(Buffer.concat(pieces), type === 'application/json' ? 'json' : type === '' ? 'ndjson' : 'sse');
    },
  });

  fuzz({
    holds: 'a chat stream is converted to completions the same regardless of chunk boundaries',
    share: 0.03,
    make: (dice) => ({
      pieces: inPieces(dice, mutateBytes(dice, dice.pick(STREAMS), STREAM_PIECES)),
      wish: { echo: dice.oneIn(2) ? 'echo\n' : '', usageChunk: dice.oneIn(2) },
    }),
    check: ({ pieces, wish }) => {
      const converted = (list: readonly Buffer[]): string => {
        const stream = new CompletionConverter(wish).stream();
        return Buffer.concat([...list.flatMap((piece) => stream.push(piece)), ...stream.end()]).toString();
      };
      must(converted(pieces) === converted([Buffer.concat(pieces)]), 'different bytes when truncated');
    },
  });
});

describe('buffered upstream responses', () => {
  const ANSWERS = [
    Buffer.from(JSON.stringify(chatCompletion('gpt-4o-mini'))),
    Buffer.from(
      '{"id":"msg_1","model":"claude","content":[{"type":"text","text":"x"}],"usage":{"input_tokens":3,"output_tokens":4}}',
    ),
    Buffer.from(
      '{"model":"x","output":[{"type":"message","content":[]}],"usage":{"input_tokens":3,"output_tokens":4}}',
    ),
  ];
  fuzz({
    holds: 'any response is metered and scanned for a model of at most 200 characters',
    share: 0.04,
    make: (dice) => {
      const answer = dice.pick(ANSWERS);
      return dice.oneIn(2) ? mutateBytes(dice, answer, STREAM_PIECES) : hostileBytes(dice, answer);
    },
    check: (bytes) => {
      for (const reader of READERS) mustBeFigures(buffered(reader, bytes));
      must((scanModel(bytes) ?? '').length <= 200, 'a model that is too long');
      responseText(bytes, 'json');
      try {
        JSON.parse(
          Buffer.concat(new CompletionConverter({ echo: 'Say', usageChunk: false }).buffered(bytes)).toString(),
        );
      } catch (thrown) {
        mustBeRefusal(thrown, 502);
      }
    },
  });
});

describe('upstream errors', () => {
  const REFUSALS = [
    `{"error":{"message":"wrong key ${SECRET} given","code":"x"}}`,
    `{"message":"Bearer ${SECRET} sk-proj-abcdefghijklmnopqrstuvwxyz"}`,
    `[{"error":{"message":"${'x'.repeat(480)} ${SECRET}"}}]`,
    `{"error":"${SECRET}"}`,
  ].map((body) => Buffer.from(body));
  fuzz({
    holds: 'an upstream error becomes a 502 with at most 500 characters and without the credential',
    share: 0.02,
    make: (dice) => ({
      body: dice.oneIn(2)
        ? mutateBytes(
            dice,
            dice.pick(REFUSALS),
            [SECRET, 'sk-', 'eyJ'.repeat(200)].map((text) => Buffer.from(text)),
          )
        : hostileBytes(dice, dice.pick(REFUSALS)),
      status: 300 + dice.int(700),
      headers: { 'retry-after': mutateText(dice, '7'), 'x-request-id': mutateText(dice, 'req_1') },
    }),
    check: ({ body, status, headers }) => {
      const refusal = upstreamRefused(status, headers, messageIn(body.toString()), [SECRET]);
      mustBeRefusal(refusal, 502);
      must(refusal.message.length <= 500 && refusal.message.isWellFormed(), 'a message that is too long');
      must(!refusal.message.includes(SECRET), 'a message with the credential');
      for (const value of Object.values(refusal.headers)) must(/^[\x20-\x7e]*$/.test(value), 'an invalid header value');
      verdictOf('gpt-4o', status, body);
      must(excerptOf(body).length <= 500, 'an excerpt that is too long');
    },
  });
});

describe('upstream model lists', () => {
  const LIST = Buffer.from(JSON.stringify({ object: 'list', data: MODELS }));
  fuzz({
    holds: 'a model list is parsed into unique models with storable IDs, or rejected with an error',
    share: 0.03,
    make: (dice) => (dice.oneIn(2) ? mutateBytes(dice, LIST, STREAM_PIECES) : hostileBytes(dice, LIST)),
    check: (body) => {
      let models;
      try {
        ({ models } = parseCatalog(body));
      } catch (error) {
        must(
          error instanceof Error && /^the (response|list) /.test(error.message),
          `an unexpected error: ${String(error)}`,
        );
        return;
      }
      const shown = withoutSecrets(models, [SECRET]).map((model) => anthropicModel(model as ModelEntry, model));
      must(!JSON.stringify(shown).includes(SECRET), 'a model with the credential');
      must(models.length > 0 && new Set(models.map(({ id }) => id)).size === models.length, 'no models or duplicates');
      for (const { id, created } of models)
        must(id.length <= 200 && id.isWellFormed() && Number.isInteger(created), `the model ${id}`);
    },
  });
});

describe('upstream response headers', () => {
  const NAMES = [
    'content-type',
    'x-request-id',
    'set-cookie',
    'transfer-encoding',
    'x-gw-model',
    'retry-after',
    'location',
    'x-ratelimit-limit-requests',
  ];
  const OWN = ['x-request-id', 'ours', 'x-gw-model', 'ours', 'x-ratelimit-limit-requests', '60'];
  fuzz({
    holds: 'only allowed headers with valid values are forwarded, and never replace the gateway’s own',
    share: 0.02,
    make: (dice) =>
      Object.fromEntries(
        Array.from({ length: dice.int(6) }, () => {
          const value = mutateText(dice, 'a value');
          return [
            dice.oneIn(3) ? mutateText(dice, dice.pick(NAMES)).toLowerCase() : dice.pick(NAMES),
            dice.oneIn(4) ? [value, value] : value,
          ];
        }),
      ),
    check: (headers) => {
      const flat = forwardedResponseHeaders(headers, OWN);
      for (let at = 0; at < flat.length; at += 2) {
        must(
          !OWN.includes(flat[at]!) && !/cookie|transfer|location|authorization/.test(flat[at]!),
          `${flat[at]} is forwarded`,
        );
        must(/^[\t\x20-\x7e\x80-\xff]*$/.test(flat[at + 1]!), 'an invalid value');
      }
    },
  });
});

describe('hostile providers', () => {
  const worlds = new Map<string, ScriptedExchanges>();
  const worldOf = ({ current, relay, routed }: HostileCase): ScriptedExchanges => {
    const env = {
      GW_UPSTREAM_API_KEY: SECRET,
      GW_PROFILE: current ? 'current' : 'specification',
      GW_UPSTREAM_ERRORS: relay ? 'relay' : 'wrap',
    };
    const name = `${JSON.stringify(env)} ${routed}`;
    if (!worlds.has(name)) worlds.set(name, new ScriptedExchanges({ env, routed }));
    return worlds.get(name)!;
  };
  beforeAll(() => fakeOnly('setTimeout', 'clearTimeout'));
  afterAll(() => void jest.useRealTimers());

  fuzz({
    holds: 'any response of a provider ends in a response without credentials, and everything is released',
    share: 0.46,
    make: hostileCase,
    check: async (hostile) => {
      const exchanges = worldOf(hostile);
      const faultsBefore = exchanges.faults;
      const view = await exchanges.run(requestOf(hostile), async (dispatch) => {
        dispatch.play(responseOf(hostile));
        if (hostile.ending !== 'hold') return;
        jest.advanceTimersByTime(6_000);
        await dispatch.timeOut();
      });
      must(exchanges.faults === faultsBefore, 'an exception');
      must(isDeepStrictEqual(exchanges.released, { permits: 0, streams: 0, conversionBytes: 0 }), 'a leak');
      mustBeSafe(view, hostile);
    },
  });
});
