import { describe, expect, jest, test } from '@jest/globals';
import { internalError } from '../../../src/platform/errors/error-factories.js';
import type { GatewayError } from '../../../src/platform/errors/gateway-error.js';
import { FAILOVER_STATUSES } from '../../../src/platform/config/upstreams/upstreams-file.js';
import type { Candidate } from '../../../src/model-policy/upstream-candidates.service.js';
import type { Attempt } from '../../../src/platform/request-context/request-context.js';
import { RoutedCall, type RoutedRequest } from '../../../src/upstream/routing/routed-call.js';
import type { SendFailure, UpstreamExchange, UpstreamSink } from '../../../src/upstream/send-contract.js';
import { HeadLatencies } from '../../../src/upstream/head-latencies.js';
import { UpstreamPressure } from '../../../src/upstream/upstream-pressure.js';
import { until } from '../../support/until.js';

const REFUSED: SendFailure = { reason: 'connect', reached: false };
const HUNG: SendFailure = { reason: 'head_timeout', reached: true };

const candidate = (name: string, repeatSent = false): Candidate => ({
  upstream: {
    name,
    isNamed: true,
    pressure: new UpstreamPressure(),
    history: { attempts: 0, failovers: 0, latencies: new HeadLatencies() },
  } as unknown as Candidate['upstream'],
  model: 'gpt-4o',
  requested: 'gpt-4o',
  weight: null,
  repeatSent,
  failoverStatuses: FAILOVER_STATUSES,
});

class RecordedSink implements UpstreamSink {
  readonly events: string[] = [];
  exchange: UpstreamExchange | null = null;
  error: GatewayError | null = null;

  onStart(exchange: UpstreamExchange): void {
    this.exchange = exchange;
    this.events.push('start');
  }
  onHead(status: number): void {
    this.events.push(`head ${status}`);
  }
  onData(chunk: Buffer): void {
    this.events.push(`data ${chunk.length}`);
  }
  onEnd(): void {
    this.events.push('end');
  }
  onError(error: GatewayError, { reason }: SendFailure): void {
    this.error = error;
    this.events.push(`error ${reason}`);
  }
}

class FakeExchange implements UpstreamExchange {
  readonly reached = true;
  readonly sentWhole = false;
  aborted = false;
  paused = false;
  faults = 0;
  abort(): void {
    this.aborted = true;
  }
  pause(): void {
    this.paused = true;
  }
  resume(): void {
    this.paused = false;
  }
  noteFault(): void {
    this.faults += 1;
  }
}

/** Starts a call. The script of each attempt runs while `send` runs. */
function run(scripts: readonly ((sink: UpstreamSink) => void)[], given: Partial<RoutedRequest> = {}) {
  const sink = new RecordedSink();
  const attempts: Attempt[] = [];
  const exchanges: FakeExchange[] = [];
  const call = new RoutedCall(
    {
      candidates: scripts.map((_, at) => candidate(`up-${at}`)),
      fallbacks: null,
      kind: 'inference',
      ownerUnknown: false,
      namesObject: false,
      deadlineMs: 10_000,
      messageOf: (body) => body.toString(),
      owner: null,
      canRepeat: () => true,
      send: ({ upstream: { name } }, attemptSink) => {
        const exchange = new FakeExchange();
        exchanges.push(exchange);
        attemptSink.onStart(exchange);
        scripts[Number(name.slice(3))]!(attemptSink);
      },
      onAttempt: (attempt) => attempts.push(attempt),
      ...given,
    },
    sink,
  );
  call.start();
  return { call, sink, attempts, exchanges };
}

const refuses = (sink: UpstreamSink) => sink.onError(internalError(new Error('refused')), REFUSED);
const hangs = (sink: UpstreamSink) => sink.onError(internalError(new Error('hung')), HUNG);
const responses = (status: number) => (sink: UpstreamSink) => {
  sink.onHead(status, {});
  sink.onData(Buffer.from('{}'));
  sink.onEnd();
};

describe('one request at several upstreams', () => {
  test('the sink sees one exchange, which is that of the upstream that serves', () => {
    const { sink, attempts } = run([refuses, responses(503), responses(200), responses(200)]);
    expect(sink.events).toEqual(['start', 'head 200', 'data 2', 'end']);
    expect(attempts.map(({ upstream, status, error }) => [upstream, status, error])).toEqual([
      ['up-0', null, 'connect'],
      ['up-1', 503, null],
      ['up-2', 200, null],
    ]);
  });

  test('the response of the last upstream is final, regardless of its status', () => {
    expect(run([refuses, responses(429)]).sink.events).toEqual(['start', 'head 429', 'data 2', 'end']);
    expect(run([responses(429), refuses]).sink.events).toEqual(['start', 'error connect']);
  });

  test('a request that an upstream might have processed is repeated only if the operator allows it', () => {
    expect(run([hangs, responses(200)]).sink.events).toEqual(['start', 'error head_timeout']);
    const candidates = [candidate('up-0', true), candidate('up-1')];
    expect(run([hangs, responses(200)], { candidates }).sink.events).toEqual(['start', 'head 200', 'data 2', 'end']);
  });

  test('a request that cannot be read again is not repeated', () => {
    const { sink, attempts } = run([refuses, responses(200)], { canRepeat: () => false });
    expect([sink.events, attempts.length]).toEqual([['start', 'error connect'], 1]);
  });

  test('404 moves on only while the owner of the object is unknown', () => {
    expect(run([responses(404), responses(200)]).sink.events[1]).toBe('head 404');
    expect(run([responses(404), responses(200)], { ownerUnknown: true }).sink.events[1]).toBe('head 200');
  });

  test('an abort reaches the running attempt, and no other attempt follows', () => {
    let first!: UpstreamSink;
    const { call, exchanges } = run([(sink) => void (first = sink), responses(200)]);
    call.abort();
    first.onError(internalError(new Error('aborted')), REFUSED);
    expect([exchanges.length, exchanges[0]!.aborted]).toEqual([1, true]);
  });

  test('an abort after a failover reaches the second attempt', () => {
    const { call, exchanges } = run([responses(503), () => {}, responses(200)]);
    call.abort();
    expect(exchanges.map(({ aborted }) => aborted)).toEqual([false, true]);
  });

  test('pause and resume reach the attempt that serves', () => {
    const { call, exchanges } = run([responses(503), (sink) => sink.onHead(200, {})]);
    call.pause();
    expect(exchanges.map(({ paused }) => paused)).toEqual([false, true]);
    call.resume();
    expect(exchanges[1]!.paused).toBe(false);
  });
});

describe('a failure while another upstream takes over', () => {
  const throwing = (at: number): RoutedRequest['send'] => {
    let sent = 0;
    return (_, sink) => {
      if (sent++ === at) throw new Error('cannot be sent');
      sink.onStart(new FakeExchange());
      responses(503)(sink);
    };
  };

  test.each([0, 1])('a request that cannot be prepared for upstream %s ends with an error', (at) => {
    const { sink } = run([responses(503), responses(200)], { send: throwing(at) });
    expect(sink.events).toEqual(['start', 'error internal']);
  });

  test('events of an attempt that was left do not reach the sink', () => {
    let first!: UpstreamSink;
    const { sink } = run([
      (attempt) => {
        first = attempt;
        attempt.onHead(503, {});
      },
      responses(200),
    ]);
    first.onData(Buffer.from('late'));
    first.onEnd();
    first.onError(internalError(new Error('late')), HUNG);
    expect(sink.events).toEqual(['start', 'head 200', 'data 2', 'end']);
  });

  test('the rest of a long response that is not needed is not read', () => {
    let first!: UpstreamSink;
    const { exchanges } = run([
      (attempt) => {
        first = attempt;
        attempt.onHead(429, {});
      },
      responses(200),
    ]);
    for (let sent = 0; sent <= 130 && !exchanges[0]!.aborted; sent++) first.onData(Buffer.alloc(1024));
    expect(exchanges[0]!.aborted).toBe(true);
  });

  test('a response that is not needed and never ends releases its connection', async () => {
    const { exchanges } = run([(attempt) => attempt.onHead(429, {}), responses(200)]);
    await until(() => exchanges[0]!.aborted);
  });

  test('64 upstreams that refuse at once are tried one after the other, and the error is that of the last', () => {
    const { sink, attempts } = run(Array.from({ length: 64 }, () => refuses));
    expect([sink.events, attempts.length]).toEqual([['start', 'error connect'], 64]);
  });

  test.each([
    ['connecting', { reason: 'connect', reached: false }, 5],
    ['waiting for responses', HUNG, 64],
  ] as const)(
    '64 upstreams that each take 2 s %s get as many attempts as the deadline permits',
    (_, failure, count) => {
      let nowMs = 0;
      const clock = jest.spyOn(performance, 'now').mockImplementation(() => nowMs);
      const fails = (sink: UpstreamSink) => {
        nowMs += 2_000;
        sink.onError(internalError(new Error('late')), failure);
      };
      const candidates = Array.from({ length: 64 }, (__, at) => candidate(`up-${at}`, true));
      const { attempts } = run(
        Array.from({ length: 64 }, () => fails),
        { candidates },
      );
      clock.mockRestore();
      expect(attempts.length).toBe(count);
    },
  );
});
