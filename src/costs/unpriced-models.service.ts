import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { Transactions } from '../platform/database/transactions.js';
import { Outbox } from '../audit/events/outbox.js';
import { storable } from '../platform/telemetry/redact.js';
import { LruCache } from '../platform/fairness/lru-cache.js';

/** For each upstream. The catalog bounds the number of models, except for names that providers invent in responses. */
const MODELS_MAX = 2_000;
/** A provider could invent a name for each response. Names above this limit are announced when a process starts again. */
const WAITING_MAX = 500;
const BATCH_SIZE = 50;
const RETRY_MS = 5000;

/** The event `model_unpriced` does not concern a key. */
const NO_KEY = '00000000-0000-0000-0000-000000000000';

interface UnpricedModel {
  readonly model: string;
  readonly provider: string;
}

/**
 * Publishes the event `model_unpriced` when a model without a price is first used, once for all processes. Recording a request
 * does not wait for it. While the database is unavailable, events wait in memory.
 */
@Injectable()
export class UnpricedModels implements OnModuleDestroy {
  private readonly logger = new Logger('costs');
  /** Models by upstream. */
  private readonly seen = new Map<string, LruCache<string, true>>();
  private waiting: UnpricedModel[] = [];
  private publishing = false;
  private failing = false;
  private timer: NodeJS.Timeout | undefined;
  private stopped = false;

  constructor(
    private readonly outbox: Outbox,
    private readonly transactions: Transactions,
  ) {}

  /** @param model any text. Providers invent names in responses */
  note(model: string, provider: string): void {
    let seen = this.seen.get(provider);
    if (seen === undefined) this.seen.set(provider, (seen = new LruCache(MODELS_MAX)));
    if (seen.has(model)) return;
    seen.set(model, true);
    if (this.waiting.length >= WAITING_MAX) return;
    this.waiting.push({ model: storable(model, Infinity), provider });
    if (this.timer === undefined) this.publishIn(0);
  }

  onModuleDestroy(): void {
    this.stopped = true;
    clearTimeout(this.timer);
  }

  private publishIn(ms: number): void {
    if (this.stopped || this.publishing) return;
    this.timer = setTimeout(() => void this.publishAll(), ms).unref();
  }

  private async publishAll(): Promise<void> {
    this.publishing = true;
    try {
      while (this.waiting.length > 0) {
        const batch = this.waiting.slice(0, BATCH_SIZE);
        await this.transactions.run((transaction) => this.outbox.publishAll(transaction, batch.map(eventOf)));
        this.waiting = this.waiting.slice(batch.length);
      }
      this.failing = false;
    } catch (error) {
      if (!this.failing)
        this.logger.warn(`Events about models without a price are delayed: ${(error as Error).message}`);
      this.failing = true;
    }
    this.publishing = false;
    this.timer = undefined;
    if (this.waiting.length > 0) this.publishIn(RETRY_MS);
  }
}

const eventOf = ({ model, provider }: UnpricedModel) => ({
  type: 'model_unpriced' as const,
  data: { model, provider, message: messageOf(model, provider) },
  once: { keyId: NO_KEY, period: `${provider} ${model}` },
});

const messageOf = (model: string, provider: string): string =>
  `Model "${model}" of upstream "${provider}" has no price, so the cost of its requests is unknown. ` +
  'Add a price with POST /admin/prices. Then price its past requests with POST /admin/prices/recompute.';
