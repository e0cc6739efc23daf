import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { EventEmitter } from 'node:events';
import { gzipSync } from 'node:zlib';
import { Logger } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { ForwardPlan } from '../../src/proxy/forward-plan.js';
import { ClientWriter } from '../../src/proxy/client-writer.js';
import { HeldResponse } from '../../src/proxy/held-response.js';
import { ResponseMeter } from '../../src/proxy/metering/response-meter.js';
import { ResponseRedaction } from '../../src/proxy/redaction/response-redaction.js';
import { UpstreamRefusal } from '../../src/proxy/upstream-refusal.js';
import { ObjectCapture } from '../../src/upstream/routing/objects/object-capture.js';
import type { RequestTrace } from '../../src/platform/request-context/request-trace.js';
import { ContentDecoder } from '../../src/upstream/content-decoder.js';
import type { UpstreamSink } from '../../src/upstream/send-contract.js';
import { UpstreamPressure } from '../../src/upstream/upstream-pressure.js';
import { fakeOnly } from '../support/fake-timers.js';
import { ScriptedExchanges, type ScriptedDispatch } from '../support/scripted-exchange.js';

const BUG = new TypeError('a bug of the gateway');
const SSE = { 'content-type': 'text/event-stream' };
const JSON_TYPE = { 'content-type': 'application/json' };
const EVENT = Buffer.from('data: {"choices":[]}\n\n');
const BODY = Buffer.from('{"id":"file-1","model":"gpt-4o-mini","usage":{"prompt_tokens":1,"completion_tokens":1}}');
const BLANKS = Buffer.from(' \n');

type Play = (dispatch: ScriptedDispatch) => void;
const play =
  (status: number, headers: object, chunks: readonly Buffer[], ending: 'end' | 'reset' | 'hold'): Play =>
  (dispatch) =>
    dispatch.play({ status, headers: { ...headers }, chunks, ending });

const stream = play(200, SSE, [EVENT, EVENT], 'end');
const json = play(200, JSON_TYPE, [BODY], 'end');
const refusal = (ending: 'end' | 'reset' | 'hold') => play(400, JSON_TYPE, [Buffer.from('{"error":"x"}')], ending);
const blanks = play(200, JSON_TYPE, [BLANKS], 'hold');

/** Converts nothing, and fails at the given step. */
const failsAt = (step: 'push' | 'end'): ForwardPlan => ({
  converter: {
    buffered: (body) => [body],
    stream: () => ({ push: () => [], end: () => [], [step]: () => fail() }),
  },
});
const fail = (): never => {
  throw BUG;
};

/** The response to a fault. `served`: the response was complete before the fault. */
type Outcome = 'refused' | 'cut' | 'served';
const FAULTS: readonly (readonly [what: string, prototype: object, method: string, respond: Play, Outcome])[] = [
  ['starting to meter a stream', ResponseMeter.prototype, 'startStream', stream, 'refused'],
  ['metering a chunk', ResponseMeter.prototype, 'push', stream, 'cut'],
  ['redacting a chunk', ResponseRedaction.prototype, 'push', stream, 'cut'],
  ['redacting the end', ResponseRedaction.prototype, 'end', stream, 'cut'],
  ['metering the end of a stream', ResponseMeter.prototype, 'end', stream, 'served'],
  ['metering a stream that was reset', ResponseMeter.prototype, 'end', play(200, SSE, [EVENT], 'reset'), 'cut'],
  ['joining a held response', HeldResponse.prototype, 'wholeInSharedMemory', json, 'refused'],
  ['metering a held response', ResponseMeter.prototype, 'buffered', json, 'served'],
  ['reading an error response', UpstreamRefusal.prototype, 'end', refusal('end'), 'refused'],
  ['reading an error response that was reset', UpstreamRefusal.prototype, 'end', refusal('reset'), 'refused'],
  ['reading an error response after its timeout', UpstreamRefusal.prototype, 'end', refusal('hold'), 'refused'],
  ['forwarding whitespace after its timeout', HeldResponse.prototype, 'chunks', blanks, 'cut'],
  [
    'decoding',
    ContentDecoder.prototype,
    'write',
    play(200, { ...SSE, 'content-encoding': 'gzip' }, [EVENT], 'hold'),
    'cut',
  ],
];
const ROUTED_FAULTS: typeof FAULTS = [
  ...FAULTS,
  ['noting the pressure of an upstream', UpstreamPressure.prototype, 'onResponse', json, 'refused'],
  ['reading the objects of a chunk', ObjectCapture.prototype, 'chunk', stream, 'cut'],
  ['reading the objects of a held response', ObjectCapture.prototype, 'buffered', json, 'refused'],
  ['noting that an upstream failed', UpstreamPressure.prototype, 'onFailed', (dispatch) => dispatch.fail(), 'refused'],
  ['writing a response whose objects are recorded', ClientWriter.prototype, 'writeHead', json, 'refused'],
];

beforeEach(() => {
  fakeOnly('setTimeout', 'clearTimeout', 'performance');
  jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
});
afterEach(() => {
  jest.restoreAllMocks();
  jest.useRealTimers();
});

function tracing() {
  const ends: (string | null)[] = [];
  const trace: RequestTrace = {
    traceId: '',
    sampled: false,
    beginUpstream: () => '',
    endUpstream: (_status, failure) => void ends.push(failure),
    end: () => undefined,
  };
  return { ends, trace };
}

async function expectFault(exchanges: ScriptedExchanges, respond: Play, outcome: Outcome, plan?: ForwardPlan) {
  const { ends, trace } = tracing();
  const faultsBefore = exchanges.faults;
  let dispatch!: ScriptedDispatch;
  const view = await exchanges.run({ trace, plan }, (sent) => {
    dispatch = sent;
    respond(sent);
    if (!sent.isOver) jest.advanceTimersByTime(6_000);
  });
  if (outcome === 'refused') {
    expect([view.status, view.complete]).toEqual([502, true]);
    expect(view.body.toString()).toContain('"code":"upstream_error"');
  } else {
    expect([view.status, view.complete]).toEqual([200, outcome === 'served']);
  }
  await new Promise((resolve) => setImmediate(resolve));
  expect(exchanges.faults - faultsBefore).toBeGreaterThan(0);
  expect(exchanges.released).toEqual({ permits: 0, streams: 0, conversionBytes: 0 });
  expect(ends).toHaveLength(1);
  expect(dispatch.isOver).toBe(true);
  expect(jest.getTimerCount()).toBe(0);
}

describe.each([
  ['one account', false, FAULTS],
  ['several upstreams', true, ROUTED_FAULTS],
] as const)('an exception with %s', (_what, routed, faults) => {
  test.each(faults)(
    'while %s ends the request and releases everything',
    async (_where, prototype, method, respond, outcome) => {
      const exchanges = new ScriptedExchanges({ routed });
      jest.spyOn(prototype as Record<string, () => void>, method).mockImplementation(fail);
      await expectFault(exchanges, respond, outcome);
      jest.restoreAllMocks();
      const next = await exchanges.run({}, json);
      expect([next.status, next.complete]).toEqual([200, true]);
    },
  );

  test.each(['push', 'end'] as const)(
    'in "%s" of a converter ends the request, and is not an error of the gateway',
    async (step) => {
      const exchanges = new ScriptedExchanges({ routed });
      const view = await exchanges.run({ plan: failsAt(step) }, stream);
      expect([view.status, view.complete, exchanges.faults]).toEqual([200, false, 0]);
    },
  );
});

test('an exception while a disconnected client is handled is counted, and the upstream request ends', async () => {
  const exchanges = new ScriptedExchanges();
  jest.spyOn(ResponseMeter.prototype, 'end').mockImplementation(fail);
  await exchanges.run({}, async (dispatch, client) => {
    play(200, SSE, [EVENT], 'hold')(dispatch);
    client.disconnect();
    while (!dispatch.isOver) await new Promise((resolve) => setImmediate(resolve));
  });
  expect([exchanges.faults, exchanges.released]).toEqual([1, { permits: 0, streams: 0, conversionBytes: 0 }]);
});

describe('UpstreamCall', () => {
  const gzip = { ...SSE, 'content-encoding': 'gzip' };
  const EVENTS: readonly (readonly [event: keyof UpstreamSink, what: string, respond: Play])[] = [
    ['onHead', 'the response headers', stream],
    ['onData', 'a chunk', stream],
    ['onData', 'a decoded chunk', play(200, gzip, [gzipSync(EVENT)], 'end')],
    ['onEnd', 'the end', stream],
    ['onEnd', 'the end of a decoded response', play(200, gzip, [gzipSync(EVENT)], 'end')],
    ['onError', 'a reset', play(200, SSE, [EVENT], 'reset')],
    ['onError', 'a decoding error', play(200, gzip, [EVENT], 'hold')],
    ['onError', 'a timeout', (dispatch) => void dispatch.timeOut()],
  ];

  test.each(EVENTS)(
    'an exception of a sink in %s at %s ends the request and is counted',
    async (event, _what, respond) => {
      const exchanges = new ScriptedExchanges();
      const reasons: string[] = [];
      const sink: UpstreamSink = {
        onStart: () => undefined,
        onHead: () => undefined,
        onData: () => undefined,
        onEnd: () => undefined,
        onError: (_error, { reason }) => void reasons.push(reason),
        [event]: fail,
      };
      const dispatch = exchanges.send(sink);
      expect(() => respond(dispatch)).not.toThrow();
      while (!dispatch.isOver || exchanges.faults === 0) await new Promise((resolve) => setImmediate(resolve));
      expect(exchanges.released).toEqual({ permits: 0, streams: 0, conversionBytes: 0 });
      expect(reasons).toEqual(event === 'onError' ? [] : ['internal']);
    },
  );
});

describe('ClientWriter', () => {
  function writerTo(res: EventEmitter) {
    const faults: unknown[] = [];
    const owner = { fault: (error: unknown) => void faults.push(error), abandon: fail };
    const source = { pause: () => undefined, resume: fail };
    return {
      faults,
      writer: new ClientWriter({ raw: res } as unknown as FastifyReply, source, { stuckMs: 100 }, owner),
    };
  }
  const response = (cork: () => void) =>
    Object.assign(new EventEmitter(), {
      write: () => false,
      destroy: () => undefined,
      uncork: () => undefined,
      cork,
      writableLength: 1,
      req: { httpVersionMinor: 1 },
    });

  test('reports exceptions when the client reads again, and when it has not read for too long', () => {
    const res = response(() => undefined);
    const { faults, writer } = writerTo(res);
    writer.write(EVENT);
    res.emit('drain');
    expect(faults).toEqual([BUG]);
    writer.write(EVENT);
    jest.advanceTimersByTime(100);
    expect(faults).toEqual([BUG, BUG]);
  });

  test('reports exceptions while it writes the next part of a long response', () => {
    const cork = jest.fn(() => undefined as void);
    const res = response(cork);
    const { faults, writer } = writerTo(res);
    writer.endRedacted([Buffer.alloc(300_000)]);
    cork.mockImplementation(fail);
    res.emit('drain');
    expect(faults).toEqual([BUG]);
  });
});
