import { describe, expect, test } from '@jest/globals';
import { formatTraceParent, parseTraceParent } from '../../../src/platform/telemetry/tracing/trace-parent.rules.js';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN = '00f067aa0ba902b7';

describe('traceparent', () => {
  test.each([
    [`00-${TRACE}-${SPAN}-01`, 1],
    [`00-${TRACE}-${SPAN}-00`, 0],
    [`00-${TRACE}-${SPAN}-ff`, 255],
    [`01-${TRACE}-${SPAN}-01-more-to-come`, 1],
    [`cc-${TRACE}-${SPAN}-01`, 1],
  ])('the traceparent %s is parsed', (header, flags) => {
    expect(parseTraceParent(header)).toEqual({ traceId: TRACE, spanId: SPAN, flags });
  });

  test.each([
    undefined,
    '',
    TRACE,
    `00-${TRACE}-${SPAN}`,
    `00-${TRACE}-${SPAN}-1`,
    `00-${TRACE}-${SPAN}-01-more`,
    `00-${TRACE}-${SPAN}-01-`,
    `cc-${TRACE}-${SPAN}-01.more`,
    `ff-${TRACE}-${SPAN}-01`,
    `00-${TRACE.toUpperCase()}-${SPAN}-01`,
    `00-${'0'.repeat(32)}-${SPAN}-01`,
    `00-${TRACE}-${'0'.repeat(16)}-01`,
    ` 00-${TRACE}-${SPAN}-01`,
    `00-${TRACE}-${SPAN}-01\n`,
    `00-${TRACE}-${SPAN}-01, 00-${TRACE}-${SPAN}-01`,
  ])('an invalid traceparent is ignored: %j', (header) => {
    expect(parseTraceParent(header)).toBeNull();
  });

  test('the forwarded traceparent keeps only the sampled flag', () => {
    expect(formatTraceParent({ traceId: TRACE, spanId: SPAN, flags: 255 })).toBe(`00-${TRACE}-${SPAN}-01`);
    expect(formatTraceParent({ traceId: TRACE, spanId: SPAN, flags: 254 })).toBe(`00-${TRACE}-${SPAN}-00`);
  });
});
