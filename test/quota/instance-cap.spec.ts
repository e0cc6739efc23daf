import { beforeEach, describe, expect, test } from '@jest/globals';
import { ExecutionContextHost } from '@nestjs/core/helpers/execution-context-host.js';
import { Clock } from '../../src/clock/clock.js';
import { Config } from '../../src/config/config.js';
import { InstanceCapGuard } from '../../src/quota/instance-cap.js';
import { InstanceCap } from '../../src/quota/instance-cap.js';
import { AdminRoute, GatewayRoute, Public, routeSpecOf } from '../../src/routes/route-spec.js';

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

describe('the cap of an instance', () => {
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

  test('refuses once so many requests were admitted, and says when there is room again', () => {
    cap.take();
    expect(pass('counted')).toBe(true);
    cap.take();
    expect(() => pass('counted')).toThrow(
      expect.objectContaining({ code: 'capacity_exceeded', headers: { 'retry-after': '30' } }),
    );
  });

  test('is not used up by requests that it lets by', () => {
    for (let i = 0; i < 5; i++) expect(pass('counted')).toBe(true);
  });

  test.each(['exempt', 'admin', 'open'] as const)('does not hold for a route that is %s', (handler) => {
    cap.take();
    cap.take();
    expect(pass(handler)).toBe(true);
  });

  test('begins anew with the UTC month', () => {
    cap.take();
    cap.take();
    clock.ms = Date.UTC(2030, 5, 1);
    expect(pass('counted')).toBe(true);
    cap.take();
    expect(pass('counted')).toBe(true);
    cap.take();
    expect(() => pass('counted')).toThrow();
  });

  test('gives no place beyond it, and a place that was given back again', () => {
    const places = [cap.take(), cap.take(), cap.take()];
    expect(places.map((place) => place !== null)).toEqual([true, true, false]);
    expect(() => pass('counted')).toThrow();
    cap.giveBack(places[0]!);
    expect(pass('counted')).toBe(true);
    expect(cap.take()).not.toBeNull();
    expect(cap.take()).toBeNull();
  });

  test('takes nothing back into another month', () => {
    const place = cap.take()!;
    clock.ms = Date.UTC(2030, 5, 1);
    cap.take();
    cap.giveBack(place);
    cap.take();
    expect(cap.take()).toBeNull();
  });
});
