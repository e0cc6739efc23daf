import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { Logger } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ModelStates } from '../../../src/model-policy/model-states.service.js';
import { RequestEndHook } from '../../../src/proxy/pipeline/request.hooks.js';
import { RequestContext } from '../../../src/platform/request-context/request-context.js';
import type { GatewayRouteSpec } from '../../../src/platform/routes/route-spec.js';
import type { RequestRecorder } from '../../../src/stats/request-recorder.service.js';
import type { AccessLog } from '../../../src/platform/telemetry/access-log.js';
import type { RequestMetrics } from '../../../src/platform/telemetry/metrics/request-metrics.js';
import type { Tracing } from '../../../src/platform/telemetry/tracing/tracing.js';

const STEPS = ['first listener', 'second listener', 'recorder', 'access log', 'metrics', 'trace'] as const;

let logged: ReturnType<typeof jest.spyOn>;
beforeEach(() => {
  logged = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
});
afterEach(() => void jest.restoreAllMocks());

/** Closes a response whose step with this name throws. Returns the steps that ran. */
function close(failing: string): string[] {
  const ran: string[] = [];
  const step = (name: (typeof STEPS)[number]) => (): void => {
    ran.push(name);
    if (name === failing) throw new TypeError(`${name} is broken`);
  };
  const ctx = new RequestContext('00000000-0000-7000-8000-000000000000', 'POST');
  ctx.route = { kind: 'gateway' } as GatewayRouteSpec;
  ctx.onEnd(step('first listener'));
  ctx.onEnd(step('second listener'));
  const trace = { end: step('trace') };
  const hook = new RequestEndHook(
    { record: step('recorder') } as unknown as RequestRecorder,
    { write: step('access log') } as unknown as AccessLog,
    { begun: () => undefined, ended: step('metrics') } as unknown as RequestMetrics,
    { begin: () => trace } as unknown as Tracing,
    {} as ModelStates,
  );
  const res = Object.assign(new EventEmitter(), { headersSent: true, statusCode: 200 });
  hook.attach({ ctx } as unknown as FastifyRequest, { raw: res } as unknown as FastifyReply);
  res.emit('close');
  return ran;
}

test.each(STEPS)('if the %s throws when a response closes, all other steps run, and the error is logged', (failing) => {
  expect(close(failing)).toEqual(STEPS);
  expect(logged).toHaveBeenCalledTimes(1);
  expect(String(logged.mock.calls[0]![0])).toContain(`${failing} is broken`);
});
