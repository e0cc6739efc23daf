import { expect } from '@jest/globals';
import { until } from '../support/until.js';

/** Requests of a key: what its row of counts holds for the month, and what usage has of it, all days together. */
export interface Figures {
  readonly counted: number;
  readonly used: number;
}

const FIGURES = `
  select (select month_count::int from key_quota where key_id = $1) as counted,
         (select coalesce(sum(requests), 0)::int from usage_daily where key_id = $1) as used`;

type Ask = <R extends object>(sql: string, parameters: unknown[]) => Promise<R[]>;

export async function figuresOf(ask: Ask, keyId: string): Promise<Figures> {
  return (await ask<Figures>(FIGURES, [keyId]))[0]!;
}

/** Each request that was served is counted once and used once, within some seconds. */
export async function expectEachOnce(ask: Ask, keyId: string, served: number): Promise<void> {
  const enough = async () => Object.values(await figuresOf(ask, keyId)).every((figure) => figure >= served);
  await until(enough, 5000).catch(() => undefined);
  expect(await figuresOf(ask, keyId)).toEqual({ counted: served, used: served });
}
