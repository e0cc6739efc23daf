import { ResponseMeter, type Estimator } from '../../src/proxy/metering/response-meter.js';
import type { ReportedError } from '../../src/proxy/metering/response-report.js';
import { bufferedReport } from '../../src/proxy/metering/buffered-usage.js';
import { CaptureMemory } from '../../src/proxy/response-memory.js';
import { ResponseCapture } from '../../src/proxy/metering/estimate/response-capture.js';
import { USAGE_FORMATS } from '../../src/proxy/metering/usage-formats.data.js';
import { RequestContext } from '../../src/platform/request-context/request-context.js';
import type { TokenUsage } from '../../src/platform/request-context/token-usage.js';

export type Route = keyof typeof USAGE_FORMATS;

const room = new CaptureMemory(0);
const NO_ESTIMATES: Estimator = {
  capture: () => new ResponseCapture(room),
  estimate: () => Promise.resolve({ input: 0, output: 0 }),
};

export function streamed(route: Route, contentType = 'text/event-stream') {
  const ctx = new RequestContext('00000000-0000-7000-8000-000000000000', 'POST');
  const errors: ReportedError[] = [];
  const onError = (error: ReportedError) => void errors.push(error);
  const meter = new ResponseMeter(ctx, USAGE_FORMATS[route], { estimator: NO_ESTIMATES, onError });
  meter.startStream(contentType);
  return {
    /** The errors in the response, which are known after `end`. */
    errors,
    push: (chunk: Buffer) => meter.push(chunk),
    end: (whole: boolean): TokenUsage => {
      meter.end(whole);
      return ctx.usage!;
    },
  };
}

export const buffered = (route: Route, body: Buffer): TokenUsage => bufferedReport(body, USAGE_FORMATS[route]).usage;

export const reported = (inputTokens: number, outputTokens: number): TokenUsage => ({
  inputTokens,
  outputTokens,
  provenance: 'reported',
});
export const partial = (inputTokens: number, outputTokens: number): TokenUsage => ({
  inputTokens,
  outputTokens,
  provenance: 'partial',
});
