import { ResponseMeter, type Estimator } from '../../src/proxy/metering/response-meter.js';
import { USAGE_FORMATS } from '../../src/proxy/metering/usage-formats.data.js';
import { CaptureMemory } from '../../src/proxy/response-memory.js';
import { ResponseCapture } from '../../src/proxy/metering/estimate/response-capture.js';
import { RequestContext } from '../../src/platform/request-context/request-context.js';
import { NO_DETAILS, type UsageDetails } from '../../src/platform/request-context/token-usage.js';
import type { GatewayRouteSpec } from '../../src/platform/routes/route-spec.js';
import type { Route } from './metered.js';

const memory = new CaptureMemory(0);
const NO_ESTIMATES: Estimator = {
  capture: () => new ResponseCapture(memory),
  estimate: () => Promise.resolve({ input: 0, output: 0 }),
};

export interface Sent {
  readonly endpoint?: string;
  readonly json?: Readonly<Record<string, unknown>>;
  /** The upstream received the whole request. */
  readonly whole?: boolean;
}

function metered(route: Route, { endpoint = '/v1/x', json, whole = true }: Sent) {
  const ctx = new RequestContext('00000000-0000-7000-8000-000000000000', 'POST');
  ctx.route = { kind: 'gateway', endpoint } as GatewayRouteSpec;
  ctx.body.json = json ?? null;
  ctx.upstream.sentWhole = whole;
  return { ctx, meter: new ResponseMeter(ctx, USAGE_FORMATS[route], { estimator: NO_ESTIMATES, onError: () => {} }) };
}

export function detailsOf(route: Route, body: object | string | Buffer, sent: Sent = {}): UsageDetails | null {
  const { ctx, meter } = metered(route, sent);
  const text = typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body);
  meter.buffered(Buffer.from(text as string));
  return ctx.usageDetails;
}

/** Returns the details of a stream. Each chunk is overwritten afterwards, so a reader that keeps one fails the test. */
export function streamedDetails(
  route: Route,
  chunks: readonly Buffer[],
  { type = 'text/event-stream', whole = true, sent = {} }: { type?: string; whole?: boolean; sent?: Sent } = {},
): UsageDetails | null {
  const { ctx, meter } = metered(route, sent);
  meter.startStream(type);
  for (const given of chunks) {
    const chunk = Buffer.from(given);
    meter.push(chunk);
    chunk.fill(0x21);
  }
  meter.end(whole);
  return ctx.usageDetails;
}

export const eventsOf = (events: readonly object[]): Buffer =>
  Buffer.from(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(''));

export const details = (known: Partial<UsageDetails>): UsageDetails => ({ ...NO_DETAILS, ...known });
