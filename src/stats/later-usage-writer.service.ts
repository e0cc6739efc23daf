import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { costRecordOf, RequestCosts } from '../costs/request-costs.service.js';
import { kindsOf } from '../costs/pricing/request-units.rules.js';
import { UnpricedRequests } from '../costs/unpriced-usage.js';
import { COUNTED_KINDS, type UsageKind } from '../costs/usage-kinds.data.js';
import { Clock } from '../platform/clock.js';
import { Transactions } from '../platform/database/transactions.js';
import { NO_DETAILS, type UsageDetails } from '../platform/request-context/token-usage.js';
import { storable } from '../platform/telemetry/redact.js';
import { additionalTokens } from './cost-recorder.service.js';
import type { LaterReport } from './later-usage.js';
import { PendingRecords } from './pending-records.js';
import { LaterUsageStore, type SettledUsage, type WaitingRequest } from './stores/later-usage.store.js';

const WRITE_INTERVAL_MS = 500;
const LAST_WRITE_MS = 3000;
/** The log of a request is written within this time, or was dropped. */
const LOG_DELAY_MS = 15_000;

/** Ends a transaction without an effect. */
class NotLoggedYet extends Error {}

/**
 * Bills usage that arrives later to the request that caused it: of background responses, runs, videos and batches.
 *
 * The request is a row of `unpriced_batches` with the ID of the object. The transaction that adds the usage removes the row, so it is added
 * once, whatever process reads the object, and however often.
 *
 * A report that is lost leaves the request unpriced until the object is read again.
 */
@Injectable()
export class LaterUsageWriter implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger('stats');
  private timer: NodeJS.Timeout | null = null;
  private stopped = false;
  private failing = false;

  constructor(
    private readonly pending: PendingRecords,
    private readonly store: LaterUsageStore,
    private readonly transactions: Transactions,
    private readonly costs: RequestCosts,
    private readonly clock: Clock,
  ) {}

  onApplicationBootstrap(): void {
    this.schedule();
  }

  async onApplicationShutdown(): Promise<void> {
    this.stopped = true;
    if (this.timer !== null) clearTimeout(this.timer);
    if (this.pending.later.size === 0) return;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, LAST_WRITE_MS)));
    await Promise.race([this.write(), late]);
    clearTimeout(timer);
  }

  private schedule(): void {
    this.timer = setTimeout(() => {
      void this.write().then(() => {
        if (!this.stopped) this.schedule();
      });
    }, WRITE_INTERVAL_MS).unref();
  }

  /** Never rejects. Reports that cannot be written stay for the next time. */
  private async write(): Promise<void> {
    const reports = this.pending.later.all();
    if (reports.length === 0) return;
    try {
      const found = new Set(
        (await this.store.waiting(reports)).map(({ provider, objectId }) => `${provider} ${objectId}`),
      );
      for (const report of reports) {
        if (found.has(`${report.provider} ${report.objectId}`)) await this.settle(report);
        else this.pending.later.notFound(report);
      }
      this.failing = false;
    } catch (error) {
      if (!this.failing)
        this.logger.warn(`Usage that was reported later cannot be written: ${(error as Error).message}`);
      this.failing = true;
    }
  }

  private async settle(report: LaterReport): Promise<void> {
    try {
      await this.transactions.run(async (transaction) => {
        const waiting = await this.store.lock(transaction, report);
        if (waiting === null) return;
        const isLogged = await this.store.settle(transaction, waiting, this.settled(waiting, report));
        if (!isLogged && this.clock.now() - waiting.request.atMs < LOG_DELAY_MS) throw new NotLoggedYet();
      });
      this.pending.later.done(report);
    } catch (error) {
      if (!(error instanceof NotLoggedYet)) throw error;
    }
  }

  private settled(waiting: WaitingRequest, report: LaterReport): SettledUsage {
    const { request, provider, baseUrl } = waiting;
    const { usage } = report;
    const details = detailsOf(report, request.details);
    const names =
      report.responseModel === null ? waiting.models : [storable(report.responseModel, Infinity), ...waiting.models];
    const models = [...new Set(names)];
    const url = baseUrl === null ? null : URL.parse(baseUrl);
    const priced = this.costs.of({ provider, baseUrl: url, models, atMs: request.atMs, usage, details });
    const { kinds, nanos, unpriced, unpricedPart } = priced;
    const before = kindsOf(request.usage, request.details);
    const units: Partial<Record<UsageKind, number>> = {};
    for (const kind of COUNTED_KINDS) units[kind] = (kinds.units[kind] ?? 0) - (before.units[kind] ?? 0);
    units.reasoning = kinds.reasoning - before.reasoning;
    const rest = new UnpricedRequests();
    if (unpriced) rest.add({ ...request, nanos, usage, details }, unpricedPart?.units ?? kinds.units);
    const given = { provider, estimated: false, recomputedAt: new Date(this.clock.now()).toISOString() };
    return {
      inputTokens: usage.inputTokens - request.usage.inputTokens,
      outputTokens: usage.outputTokens - request.usage.outputTokens,
      additionalTokens: additionalTokens(usage, kinds) - additionalTokens(request.usage, before),
      nanos: (nanos ?? 0n) - (request.nanos ?? 0n),
      units,
      unpriced: unpriced ? { model: unpricedPart?.model ?? models[0] ?? '', models, part: rest.all()[0]! } : null,
      log: {
        inputTokens: usage.inputTokens,
        outputTokens: usage.outputTokens,
        nanos,
        cost: costRecordOf(priced, given),
      },
    };
  }
}

/** The request shows what the later response does not. An object that failed is free. */
function detailsOf({ details }: LaterReport, requested: UsageDetails | null): UsageDetails | null {
  if (details === null || requested === null) return details;
  const isTiered = details.serviceTier !== null;
  return {
    ...NO_DETAILS,
    ...details,
    requestedTier: isTiered ? null : requested.requestedTier,
    requestedRegion: details.region === null ? requested.requestedRegion : null,
    videoSeconds: details.videoSeconds === 0 ? requested.videoSeconds : details.videoSeconds,
    imageSize: details.imageSize ?? requested.imageSize,
  };
}
