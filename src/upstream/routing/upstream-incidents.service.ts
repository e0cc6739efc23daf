import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Outbox, type OutgoingEvent } from '../../audit/events/outbox.js';
import { Config } from '../../platform/config/config.js';
import { Transactions } from '../../platform/database/transactions.js';
import { IncidentStore, type IncidentChanges, type ReportedIncident } from './stores/incident.store.js';
import { UpstreamStates } from './upstream-states.service.js';

const CHECK_MS = 15_000;
/** Longer than the checks of the processes are apart, so that a late check does not end an incident. */

/**
 * Publishes an event when an upstream begins to refuse or fail requests, and when it has recovered. Incidents that two checks in a
 * row do not see are ignored. While all upstreams work, a check reads only the memory of the process.
 */
@Injectable()
export class UpstreamIncidents implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger('Upstreams');
  private timer: NodeJS.Timeout | undefined;
  private seenBefore: ReadonlySet<string> = new Set();
  /** An earlier process might have left an incident. */
  private isAnyOpen = true;
  private checking = false;
  private failing = false;

  constructor(
    private readonly states: UpstreamStates,
    private readonly store: IncidentStore,
    private readonly outbox: Outbox,
    private readonly transactions: Transactions,
    private readonly config: Config,
  ) {}

  onApplicationBootstrap(): void {
    if (this.config.upstreams === null) return;
    this.timer = setInterval(() => void this.check(), CHECK_MS).unref();
  }

  onModuleDestroy(): void {
    clearInterval(this.timer);
  }

  /** Runs every 15 seconds. Never rejects: while the database is unavailable, the next check reports what it sees. */
  async check(): Promise<void> {
    if (this.checking) return;
    const seen = this.states.incidents();
    const lasting = seen.filter((each) => this.seenBefore.has(nameOf(each)));
    this.seenBefore = new Set(seen.map(nameOf));
    if (lasting.length === 0 && !this.isAnyOpen) return;
    this.checking = true;
    try {
      this.isAnyOpen = await this.report(lasting);
      this.failing = false;
    } catch (error) {
      if (!this.failing) this.logger.warn(`Events about upstreams are delayed: ${(error as Error).message}`);
      this.failing = true;
      this.isAnyOpen = true;
    }
    this.checking = false;
  }

  private report(lasting: readonly ReportedIncident[]): Promise<boolean> {
    return this.transactions.run(async (transaction) => {
      const changes = await this.store.report(transaction, lasting);
      await this.outbox.publishAll(transaction, eventsOf(changes));
      return changes.isAnyOpen;
    });
  }
}

const nameOf = ({ upstream, status }: ReportedIncident): string => `${upstream} ${status}`;

const eventsOf = ({ began, recovered }: IncidentChanges): OutgoingEvent[] => [
  ...began.map(({ upstream, status, lastError }) => ({
    type: EVENT_TYPE[status],
    data: { upstream, last_error: lastError },
  })),
  ...recovered.map(({ upstream, beganAt }) => ({
    type: 'upstream_recovered' as const,
    data: { upstream, began_at: new Date(beganAt).toISOString() },
  })),
];

const EVENT_TYPE = { refused: 'upstream_refused', failing: 'upstream_failing' } as const;
