import { newRequestId } from '../../src/platform/request-context/request-id.js';
import { AppliedPrices } from '../../src/costs/applied-price.service.js';
import { randomUUID } from 'node:crypto';
import { DataSource } from 'typeorm';
import { Clock } from '../../src/platform/clock.js';
import { Config } from '../../src/platform/config/config.js';
import { dataSourceOptions } from '../../src/platform/database/data-source-options.js';
import type { Outage } from '../../src/quota/outage.service.js';
import type { KeySnapshot } from '../../src/platform/request-context/key-snapshot.js';
import { RequestContext } from '../../src/platform/request-context/request-context.js';
import type { TokenUsage } from '../../src/platform/request-context/token-usage.js';
import type { OperatorPrices } from '../../src/costs/operator-prices.service.js';
import { RequestCosts } from '../../src/costs/request-costs.service.js';
import type { UnpricedModels } from '../../src/costs/unpriced-models.service.js';
import { CostRecorder } from '../../src/stats/cost-recorder.service.js';
import { PendingRecords } from '../../src/stats/pending-records.js';
import { RequestRecorder } from '../../src/stats/request-recorder.service.js';
import { StatsWriter } from '../../src/stats/stats-writer.service.js';
import { LastUseStore } from '../../src/stats/stores/last-use.store.js';
import { RequestRowStore } from '../../src/stats/stores/request-row.store.js';
import { UnstoredRecordStore } from '../../src/stats/stores/unstored-record.store.js';
import { UsageStore } from '../../src/stats/stores/usage.store.js';
import { createScratchDatabase } from './scratch-database.js';

export class MovedClock extends Clock {
  offsetMs = 0;

  override now(): number {
    return Date.now() + this.offsetMs;
  }
}

/** The recorder and writer of one gateway process. */
export class StatsProcess {
  readonly clock = new MovedClock();
  readonly pending = new PendingRecords();
  readonly requestStore = new RequestRowStore(this.source);
  readonly writer = new StatsWriter(
    this.pending,
    new UsageStore(this.source),
    new LastUseStore(this.source),
    this.requestStore,
    new UnstoredRecordStore(this.source),
  );
  readonly recorder: RequestRecorder;
  /** The tokens that were reported to `Outage`: key, tokens and additional tokens. */
  readonly spent: Parameters<Outage['spend']>[] = [];
  /** Replaced by tests of operators' prices. */
  readonly operatorPrices = { find: () => null } as unknown as OperatorPrices;
  private readonly unpricedModels = { note: () => undefined } as unknown as UnpricedModels;

  constructor(
    private readonly source: DataSource,
    sampleRate = 0,
  ) {
    const config = Config.from({}).with({ logSampleRate: sampleRate });
    this.recorder = new RequestRecorder(
      config,
      this.clock,
      this.pending,
      { spend: (...tokens) => void this.spent.push(tokens) } as Pick<Outage, 'spend'> as Outage,
      new CostRecorder(new RequestCosts(new AppliedPrices(this.operatorPrices, config)), this.unpricedModels),
    );
  }
}

export class StatsDatabase {
  private constructor(
    readonly url: string,
    readonly source: DataSource,
    private readonly drop: () => Promise<void>,
  ) {}

  static async create(): Promise<StatsDatabase> {
    const { url, drop } = await createScratchDatabase();
    return new StatsDatabase(url, await connect(url), drop);
  }

  async close(): Promise<void> {
    await this.source.destroy();
    await this.drop();
  }

  async newKey(): Promise<KeySnapshot> {
    const id = randomUUID();
    await this.source.query(`insert into api_keys (id, name, key_hash, key_hint) values ($1, 'k', $2, '')`, [
      id,
      Buffer.from(id),
    ]);
    return keySnapshot(id);
  }
}

/** Opens a pool like that of the gateway, but without a connect timeout, because some specs break connections while they open. */
export const connect = (url: string): Promise<DataSource> =>
  new DataSource({
    ...dataSourceOptions({ url, poolSize: 4, entities: [], migrations: [] }),
    connectTimeoutMS: 0,
  }).initialize();

export const keySnapshot = (id: string): KeySnapshot => ({
  id,
  name: 'k',
  teamId: null,
  tags: [],
  status: 'active',
  rpmLimit: 60,
  rpdLimit: 1000,
  monthlyLimit: null,
  monthlyTokenLimit: null,
  tokenCounting: 'specification',
  allowedModels: null,
  expiresAtMs: null,
  lastUsedAtMs: null,
  version: 1,
});

interface Asked {
  readonly model?: string | null;
  readonly usage?: TokenUsage | null;
  readonly admitted?: boolean;
  readonly requestId?: string;
  /** The time of admission by the clock of the quota store. */
  readonly atMs?: number;
}

/** Returns the context of a request at the end of the pipeline. */
export function requestOf(key: KeySnapshot | null, asked: Asked = {}): RequestContext {
  const ctx = new RequestContext(asked.requestId ?? newRequestId(asked.atMs ?? Date.now()), 'POST');
  ctx.route = {
    kind: 'gateway',
    endpoint: '/v1/chat/completions',
    body: 'json',
    bodyBytesMax: 1,
    model: 'gated',
    quota: 'counted',
    usage: 'chat',
    api: 'openai',
  };
  ctx.key = key;
  ctx.admitted = asked.admitted ?? true;
  ctx.model = asked.model === undefined ? 'gpt-4o' : asked.model;
  ctx.usage = asked.usage === undefined ? { inputTokens: 3, outputTokens: 4, provenance: 'reported' } : asked.usage;
  if (ctx.admitted) {
    const window = { limit: 1, used: 1, resetsAtMs: 0 };
    ctx.figures = { nowMs: asked.atMs ?? Date.now(), minute: window, day: window, month: window, tokens: window };
  }
  return ctx;
}
