import { Client, type Dispatcher } from 'undici';
import { DeliveryFailure } from './delivery-retry.rules.js';
import { judgedConnector, type AddressJudge, type Resolver, type WebhookProxy } from './address-checked-connection.js';
import type { WebhookMessage } from './signed-message.js';

interface DeliveryTimeLimits {
  readonly connectMs: number;
  /** Covers the time from the start, including `connectMs`, to the response headers. */
  readonly headMs: number;
  readonly bodyMs: number;
}

interface WebhookResponse {
  readonly status: number;
  /** At most the first 4 KiB, or less if the body is slow. */
  readonly body: Buffer;
}

interface SendOptions {
  readonly judge: AddressJudge;
  readonly limits: DeliveryTimeLimits;
  readonly stop?: AbortSignal;
  readonly resolver?: Resolver;
  readonly proxy?: WebhookProxy | null;
}

const RESPONSE_BYTES_MAX = 4096;

/**
 * Sends a signed event to its webhook, over a new connection. It does not follow redirects.
 * @throws DeliveryFailure if no response headers arrive
 */
export async function postWebhook(message: WebhookMessage, options: SendOptions): Promise<WebhookResponse> {
  const { judge, limits, resolver, stop, proxy = null } = options;
  const url = new URL(message.url);
  const client = new Client(url.origin, {
    connect: judgedConnector({ judge, connectMs: limits.connectMs, resolver }, proxy),
    // undici's own timeouts can be up to a second late.
    headersTimeout: 0,
    bodyTimeout: 0,
    pipelining: 1,
    allowH2: false,
  });
  const deadline = new AbortController();
  const signal = stop === undefined ? deadline.signal : AbortSignal.any([deadline.signal, stop]);
  const onTimeout = () => deadline.abort(new DeliveryFailure('timeout'));
  let timer = setTimeout(onTimeout, limits.headMs);
  try {
    const response = await client.request({
      method: 'POST',
      path: url.pathname + url.search,
      body: message.body,
      reset: true,
      signal,
      headers: {
        'content-type': 'application/json',
        'user-agent': 'inference-gateway-webhooks',
        'accept-encoding': 'identity',
        ...message.headers,
      },
    });
    clearTimeout(timer);
    timer = setTimeout(onTimeout, limits.bodyMs);
    return { status: response.statusCode, body: await readStart(response.body) };
  } catch (error) {
    throw DeliveryFailure.of(error);
  } finally {
    clearTimeout(timer);
    await client.destroy();
  }
}

/** Ignores errors, because the status counts even if the body fails or is late. */
async function readStart(body: Dispatcher.ResponseData['body']): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes >= RESPONSE_BYTES_MAX) break;
    }
  } catch {
    // The part that arrived is kept.
  }
  return Buffer.concat(chunks).subarray(0, RESPONSE_BYTES_MAX);
}
