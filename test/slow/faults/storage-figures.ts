import { expect } from '@jest/globals';
import { until } from '../../support/until.js';

/** The requests of a key: the month's count in `key_quota`, and the sum of all days in usage. */
export interface Figures {
  readonly counted: number;
  readonly used: number;
}

const FIGURES = `
  select (select month_count::int from key_quota where key_id = $1) as counted,
         (select coalesce(sum(requests), 0)::int from usage_daily where key_id = $1) as used`;

type Query = <R extends object>(sql: string, parameters: unknown[]) => Promise<R[]>;

export async function figuresOf(query: Query, keyId: string): Promise<Figures> {
  return (await query<Figures>(FIGURES, [keyId]))[0]!;
}

/** Expects that within 5 s each served request is counted once and appears in usage once. */
export async function expectEachOnce(query: Query, keyId: string, served: number): Promise<void> {
  const enough = async () => Object.values(await figuresOf(query, keyId)).every((figure) => figure >= served);
  await until(enough).catch(() => undefined);
  expect(await figuresOf(query, keyId)).toEqual({ counted: served, used: served });
}
