import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Key } from '../../../support/gateway.js';
import { chatCompletion } from '../../../support/scripted-upstream-responses.js';
import { RoutedGateway, respondsWith } from '../../../upstream/routing/routed-gateway.js';

const PATH = '/v1/chat/completions';
const ROUTE = `POST ${PATH}`;

describe('clients that disconnect', () => {
  let routed: RoutedGateway;
  let key: Key;
  beforeAll(async () => {
    const fields = { connections: 2, repeat_sent: true };
    routed = await RoutedGateway.start({
      upstreams: [
        { name: 'first', ...fields },
        { name: 'second', ...fields },
      ],
    });
    key = await routed.gateway.createKey();
  });
  beforeEach(() => routed.reset());
  afterAll(() => routed.stop());

  const silent = (name: string) => routed.provider(name).on('POST', PATH, () => {});

  /** Sends a request that its client leaves once `name` has received it. */
  const left = async (name: string, fields: object = {}): Promise<void> => {
    const leaving = new AbortController();
    const sent = routed.gateway
      .chat(key, { ...fields }, { signal: leaving.signal })
      .catch((error: Error) => error.name);
    const received = await routed.provider(name).received(0, ROUTE);
    leaving.abort();
    expect(await sent).toBe('AbortError');
    await received.gone;
    await routed.idle();
  };

  test.each([false, true])(
    'a disconnect during the first attempt ends it, and no other attempt follows (stream: %s)',
    async (stream) => {
      silent('first');
      await left('first', { stream });
      expect(routed.counts()).toEqual({ first: 1, second: 0 });
    },
  );

  test.each([false, true])('a disconnect during the second attempt ends that attempt (stream: %s)', async (stream) => {
    respondsWith(routed.provider('first'), 503);
    silent('second');
    await left('second', { stream });
    expect(routed.counts()).toEqual({ first: 1, second: 1 });
    expect(routed.provider('first').requests.at(-1)!.aborted).toBe(false);
  });

  test('a disconnect while the rest of a rejection is still being read leaves no connection behind', async () => {
    routed.provider('first').on('POST', PATH, (_, response) => void response.writeHead(429).write('{"error"'));
    silent('second');
    await left('second');
  });

  test('a disconnect while the request waits for a connection removes it from the queue', async () => {
    silent('first');
    silent('second');
    const leaving = new AbortController();
    const sent = Array.from({ length: 6 }, () =>
      routed.gateway.chat(key, {}, { signal: leaving.signal }).catch((error: Error) => error.name),
    );
    await Promise.all([routed.provider('first').received(1, ROUTE), routed.provider('second').received(1, ROUTE)]);
    leaving.abort();
    expect(new Set(await Promise.all(sent))).toEqual(new Set(['AbortError']));
    await routed.idle();
    expect(routed.counts()).toEqual({ first: 2, second: 2 });
  });

  test('a disconnect in the middle of a stream ends it, and the request is not repeated', async () => {
    const head = { 'content-type': 'text/event-stream' };
    respondsWith(routed.provider('first'), 503);
    routed
      .provider('second')
      .on('POST', PATH, (_, response) => void response.writeHead(200, head).write('data: {}\n\n'));
    const leaving = new AbortController();
    const response = await fetch(`${routed.gateway.url}${PATH}`, {
      method: 'POST',
      signal: leaving.signal,
      headers: { authorization: `Bearer ${key.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'gpt-4o-mini', stream: true, messages: [{ role: 'user', content: 'Hi' }] }),
    });
    await response.body!.getReader().read();
    leaving.abort();
    await (
      await routed.provider('second').received(0, ROUTE)
    ).gone;
    await routed.idle();
    const row = await routed.logOf(response);
    expect(row).toMatchObject({ upstream: 'second', attempts: [{ status: 503 }, { status: 200 }] });
  });

  test('500 clients that disconnect at random moments leak no connection', async () => {
    routed
      .provider('first')
      .on('POST', PATH, (request) =>
        request.body.length % 3 === 0 ? { status: 503, body: {} } : { body: chatCompletion('gpt-4o-mini'), delayMs: 5 },
      );
    for (let round = 0; round < 10; round++) {
      await Promise.all(
        Array.from({ length: 50 }, (_, at) => {
          const signal = AbortSignal.timeout(1 + ((at * 7 + round) % 40));
          return routed.gateway.chat(key, { user: 'x'.repeat(at) }, { signal }).catch(() => null);
        }),
      );
    }
    await routed.idle();
    expect((await routed.gateway.chat(key)).status).toBe(200);
  });
});
