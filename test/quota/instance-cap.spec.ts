import { beforeEach, describe, expect, test } from '@jest/globals';
import { ExecutionContextHost } from '@nestjs/core/helpers/execution-context-host.js';
import { Clock } from '../../src/platform/clock.js';
import { Config } from '../../src/platform/config/config.js';
import { InstanceCapGuard } from '../../src/quota/instance-cap.js';
import { InstanceCap } from '../../src/quota/instance-cap.js';
import { AdminRoute, GatewayRoute, Public, routeSpecOf } from '../../src/platform/routes/route-spec.js';

class Handlers {
  @GatewayRoute({ endpoint: '/v1/models' }) counted(): void {}
  @GatewayRoute({ endpoint: '/v1/usage', quota: 'exempt' }) exempt(): void {}
  @AdminRoute({ role: 'viewer' }) admin(): void {}
  @Public() open(): void {}
}

class SetClock extends Clock {
  ms = Date.UTC(2030, 4, 31, 23, 59, 30);
  override now(): number {
    return this.ms;
  }
}

describe('InstanceCap', () => {
  let clock: SetClock;
  let cap: InstanceCap;
  let guard: InstanceCapGuard;

  beforeEach(() => {
    clock = new SetClock();
    cap = new InstanceCap(Config.from({}).with({ instanceMonthlyCap: 2 }), clock);
    guard = new InstanceCapGuard(cap);
  });

  const pass = (handler: keyof Handlers) =>
    guard.canActivate(new ExecutionContextHost([{ ctx: { route: routeSpecOf(Handlers.prototype[handler]) } }]));

  test('rejects requests after the cap is used up, with the seconds until the next month', () => {
    cap.take();
    expect(pass('counted')).toBe(true);
    cap.take();
    expect(() => pass('counted')).toThrow(
      expect.objectContaining({ code: 'capacity_exceeded', headers: { 'retry-after': '30' } }),
    );
  });

  test('the guard does not use up the cap', () => {
    for (let i = 0; i < 5; i++) expect(pass('counted')).toBe(true);
  });

  test.each(['exempt', 'admin', 'open'] as const)('the cap does not apply to routes of kind %s', (handler) => {
    cap.take();
    cap.take();
    expect(pass(handler)).toBe(true);
  });

  test('the cap resets with the UTC month', () => {
    cap.take();
    cap.take();
    clock.ms = Date.UTC(2030, 5, 1);
    expect(pass('counted')).toBe(true);
    cap.take();
    expect(pass('counted')).toBe(true);
    cap.take();
    expect(() => pass('counted')).toThrow();
  });

  test('a returned slot can be used again, but never more slots than the cap', () => {
    const places = [cap.take(), cap.take(), cap.take()];
    expect(places.map((place) => place !== null)).toEqual([true, true, false]);
    expect(() => pass('counted')).toThrow();
    cap.release(places[0]!);
    expect(pass('counted')).toBe(true);
    expect(cap.take()).not.toBeNull();
    expect(cap.take()).toBeNull();
  });

  test('a slot from the previous month is not returned to the current month', () => {
    const place = cap.take()!;
    clock.ms = Date.UTC(2030, 5, 1);
    cap.take();
    cap.release(place);
    cap.take();
    expect(cap.take()).toBeNull();
  });
});
