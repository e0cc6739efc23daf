import { expect } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { TestGateway, type Key } from './gateway.js';
import { OperatorPrices } from '../../src/costs/operator-prices.service.js';
import { GatewayProcess } from './gateway-process.js';
import { createScratchDatabase, type ScratchDatabase } from './scratch-database.js';
import { startUpstream, type ScriptedUpstream } from './scripted-upstream.js';
import { connect } from './stats-database.js';

export const UNPRICED_MODEL = 'acme-custom-1';
const PRICES = { input: '1000', output: '2000' };
/** A chat of the scripted upstream costs this: 9 input and 3 output tokens. */
export const CHAT_NANOS = 9_000_000n + 6_000_000n;

interface Totals {
  readonly requests: string;
  readonly unpriced: string;
  readonly nanos: string;
}

/** A gateway with its own database whose requests are priced later. */
export class PricingGateway {
  private constructor(
    readonly scratch: ScratchDatabase,
    readonly upstream: ScriptedUpstream,
    readonly gateway: TestGateway,
    readonly source: DataSource,
    readonly key: Key,
  ) {}

  static async start(settings: Readonly<Record<string, string>> = {}): Promise<PricingGateway> {
    const [scratch, upstream] = await Promise.all([createScratchDatabase(), startUpstream()]);
    const given = { GW_RESPONSES_TOOLS: 'any', ...settings };
    const gateway = await TestGateway.start(given, { upstream, databaseUrl: scratch.url });
    return new PricingGateway(scratch, upstream, gateway, await connect(scratch.url), await gateway.createKey());
  }

  async stop(): Promise<void> {
    await GatewayProcess.endAll();
    await this.source.destroy();
    await Promise.all([this.gateway.stop(), this.upstream.stop()]);
    await this.scratch.drop();
  }

  /** Removes prices and costs. */
  async reset(): Promise<void> {
    this.upstream.reset();
    for (const table of ['model_prices', 'cost_daily', 'unpriced_batches', 'request_logs'])
      await this.source.query(`delete from ${table}`);
    // The prices of the test before can have been those of any model.
    await this.gateway.app.get(OperatorPrices, { strict: false }).refresh();
  }

  async chats(count: number, model = UNPRICED_MODEL): Promise<void> {
    for (let n = 0; n < count; n++) expect((await this.gateway.chat(this.key, { model })).status).toBe(200);
  }

  setPrice(body: object = {}) {
    return this.gateway.admin<{ id: string }>('POST', '/admin/prices', {
      model: UNPRICED_MODEL,
      valid_from: '2020-01-01',
      prices: PRICES,
      ...body,
    });
  }

  recompute(body: object = {}) {
    return this.gateway.admin('POST', '/admin/prices/recompute', body);
  }

  async missing(query = '') {
    const path = `/admin/prices/missing${query}`;
    return (await this.gateway.admin<{ total: number; models: object[]; backfilled: object[] }>('GET', path)).body;
  }

  async totals(): Promise<Totals> {
    const [row] = await this.source.query<Totals[]>(
      `select coalesce(sum(requests), 0) requests, coalesce(sum(unpriced_requests), 0) unpriced, coalesce(sum(cost_nanos), 0) nanos from cost_daily`,
    );
    return row!;
  }

  async waiting(): Promise<number> {
    const sum = 'select coalesce(sum(requests), 0)::int n from unpriced_batches';
    return (await this.source.query<{ n: number }[]>(sum))[0]!.n;
  }

  audited() {
    return this.source.query<{ metadata: Record<string, unknown> }[]>(
      `select metadata from audit_logs where action = 'costs.recomputed' order by created_at desc`,
    );
  }
}
