import { Client, type Dispatcher } from 'undici';
import { DeliveryFailure } from './delivery-retry.rules.js';
import { judgedConnector, type AddressJudge, type Resolver } from './address-checked-connection.js';

/** Milliseconds. */
interface DeliveryTimeLimits {
  /** To resolve, connect and shake hands. */
  readonly connectMs: number;
  /** From the beginning, connecting included, to the head of the answer. */
  readonly headMs: number;
  /** From there on, for what is read of its body. */
  readonly bodyMs: number;
}

export interface WebhookMessage {
  readonly url: string;
  /** `webhook-id`, `webhook-timestamp`, `webhook-signature`. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

interface WebhookAnswer {
  readonly status: number;
  /** The first 4 KB at most; less where it came too slowly. */
  readonly body: Buffer;
}

interface SendOptions {
  readonly judge: AddressJudge;
  readonly limits: DeliveryTimeLimits;
  /** Ends it at once, with the signal's reason. */
  readonly stop?: AbortSignal;
  readonly resolver?: Resolver;
}

const ANSWER_BYTES_MAX = 4096;

/**
 * Sends one message on a new connection, so that each address is checked. Redirects are not followed, no proxy is used, and
 * no other headers are sent.
 * @throws DeliveryFailure if no response headers came, also if it was stopped before
 */
export async function postWebhook(message: WebhookMessage, options: SendOptions): Promise<WebhookAnswer> {
  const { judge, limits, resolver, stop } = options;
  const url = new URL(message.url);
  const client = new Client(url.origin, {
    connect: judgedConnector(judge, limits.connectMs, resolver),
    // undici's own limits are up to a second late.
    ...{ headersTimeout: 0, bodyTimeout: 0, pipelining: 1, allowH2: false },
  });
  const late = new AbortController();
  const signal = stop === undefined ? late.signal : AbortSignal.any([late.signal, stop]);
  const giveUp = () => late.abort(new DeliveryFailure('timeout'));
  let timer = setTimeout(giveUp, limits.headMs);
  try {
    const answer = await client.request({
      ...{ method: 'POST', path: url.pathname + url.search, body: message.body, reset: true, signal },
      headers: {
        'content-type': 'application/json',
        'user-agent': 'inference-gateway-webhooks',
        'accept-encoding': 'identity',
        ...message.headers,
      },
    });
    clearTimeout(timer);
    timer = setTimeout(giveUp, limits.bodyMs);
    return { status: answer.statusCode, body: await beginningOf(answer.body) };
  } catch (error) {
    throw DeliveryFailure.of(error);
  } finally {
    clearTimeout(timer);
    await client.destroy();
  }
}

/** The status counts even if the body breaks or is late: then it is the part that arrived. */
async function beginningOf(body: Dispatcher.ResponseData['body']): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes >= ANSWER_BYTES_MAX) break;
    }
  } catch {
    // See above.
  }
  return Buffer.concat(chunks).subarray(0, ANSWER_BYTES_MAX);
}
