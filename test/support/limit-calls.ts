import { DataSource } from 'typeorm';
import { dateOf, DAY_MS } from './cost-rows.js';
import { TestGateway, type Response } from './gateway.js';

export interface ShownLimit {
  readonly id: number;
  readonly used: number | string;
  readonly effective_amount: number | string;
  readonly period_started_at: string;
  readonly resets_at: string;
  readonly forecast: { reached_at: string | null; amount_at_reset: number | null; method: string } | null;
  readonly [field: string]: unknown;
}

/** Creates and reads limits, and changes their counters as time and requests would. */
export class LimitCalls {
  constructor(
    private readonly gateway: TestGateway,
    private readonly byDefault: object = {},
  ) {}

  /** By default, creates a limit of 1,000 requests per day for the account. */
  async create(fields: object = {}): Promise<ShownLimit> {
    const given = { scope: 'account', measure: 'requests', period: 'day', amount: 1000, ...this.byDefault, ...fields };
    const response = await this.gateway.admin<ShownLimit>('POST', '/admin/limits', given);
    if (response.status !== 201) throw new Error(response.text);
    return response.body;
  }

  async get(id: number): Promise<ShownLimit> {
    return (await this.gateway.admin<ShownLimit>('GET', `/admin/limits/${id}`)).body;
  }

  reset(id: number): Promise<Response<ShownLimit>> {
    return this.gateway.admin<ShownLimit>('POST', `/admin/limits/${id}/reset`);
  }

  topUp(id: number, body: object): Promise<Response<{ id: number; expires_at: string | null }>> {
    return this.gateway.admin('POST', `/admin/limits/${id}/top-ups`, body);
  }

  /** @param assignments SQL in which `$2` is the first of the values */
  setCounter(id: number, assignments: string, values: readonly unknown[] = []): Promise<unknown> {
    return this.source.query(`update limit_counters set ${assignments} where limit_id = $1`, [id, ...values]);
  }

  /** Changes the counter as if it had last been used so many days ago. */
  moveBack(id: number, days: number): Promise<unknown> {
    const us = `$2::bigint * 86400000000`;
    return this.setCounter(id, `period = period - ${us}, since = since - ${us}, until = until - ${us}`, [days]);
  }

  /** Stores the counter as it is now, as an admission would. */
  advance(id: number): Promise<unknown> {
    return this.source.query(
      `select limit_advance(array[$1]::bigint[], (date_part('epoch', clock_timestamp()) * 1e6)::bigint)`,
      [id],
    );
  }

  /** Adds requests to a past UTC day. */
  use(keyId: string, daysAgo: number, requests: number, model = 'gpt-4o'): Promise<unknown> {
    const day = dateOf(Date.now() - daysAgo * DAY_MS);
    return this.source.query('insert into usage_daily (key_id, day, model, requests) values ($1, $2, $3, $4)', [
      keyId,
      day,
      model,
      requests,
    ]);
  }

  private get source(): DataSource {
    return this.gateway.app.get(DataSource);
  }
}
