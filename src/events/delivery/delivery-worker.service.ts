import { setTimeout as pause } from 'node:timers/promises';
import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Database } from '../../database/database.service.js';
import { WatchConnection } from '../../database/watch-connection.js';
import { DUE_CHANNEL } from '../outbox.js';
import { ClaimStore, LEASE_MS } from '../stores/claim.store.js';
import { WebhookStore } from '../stores/webhook.store.js';
import { DeliveryAttempts } from './delivery-attempts.service.js';

/** Attempts under way at one webhook, in this process. A bound for all (there are 100 at most) would be filled by some that hang. */
const PER_WEBHOOK_MAX = 2;
/** For retries, and for what no notice told of. */
const LOOK_EACH_MS = 1000;
const PARK_EACH_MS = 2000;
/** What has no answer by then when the process stops is given back. */
const STOP_MS = 5000;

/**
 * Delivers what is due for as long as the process lives: woken by a notice of the database, by an attempt that has ended,
 * and each second. Without the database it waits; what it holds of the queue is leased, so nothing is lost with it.
 */
@Injectable()
export class DeliveryWorker implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger('Webhooks');
  private readonly running = new Map<Promise<void>, string>();
  private readonly stopping = new AbortController();
  private readonly giveUp = new AbortController();
  private loop: Promise<void> | null = null;
  private woken = Promise.withResolvers<void>();
  private parkedAtMs = -Infinity;
  private failing = false;

  constructor(
    private readonly database: Database,
    private readonly claims: ClaimStore,
    private readonly webhooks: WebhookStore,
    private readonly attempts: DeliveryAttempts,
    watch: WatchConnection,
  ) {
    watch.onConnect(async (client) => {
      client.on('notification', ({ channel }) => {
        if (channel === DUE_CHANNEL) this.woken.resolve();
      });
      await client.query(`listen ${DUE_CHANNEL}`);
    });
  }

  onApplicationBootstrap(): void {
    void this.database.whenReady().then(() => {
      if (!this.stopping.signal.aborted) this.loop = this.deliver();
    });
  }

  /** Takes nothing new; what is under way has 5 s to end, then it is given back. */
  async onModuleDestroy(): Promise<void> {
    this.stopping.abort();
    this.woken.resolve();
    await this.loop;
    const ended = Promise.all(this.running.keys());
    await Promise.race([ended, pause(STOP_MS, undefined, { ref: false })]);
    this.giveUp.abort();
    await ended;
  }

  private async deliver(): Promise<void> {
    while (!this.stopping.signal.aborted) {
      this.woken = Promise.withResolvers();
      const begun = await this.beginWhatIsDue();
      if (begun === 0) await Promise.race([this.woken.promise, pause(LOOK_EACH_MS, undefined, { ref: false })]);
    }
  }

  /** @returns how many attempts have begun */
  private async beginWhatIsDue(): Promise<number> {
    if (this.database.state !== 'ready') return 0;
    const leasedUntilMs = performance.now() + LEASE_MS;
    try {
      await this.park();
      const claims = await this.claims.claim(PER_WEBHOOK_MAX, this.runningByWebhook());
      for (const claim of claims)
        this.begin(claim.webhookId, this.attempts.make(claim, leasedUntilMs, this.giveUp.signal));
      this.report(null);
      return claims.length;
    } catch (error) {
      this.report(error as Error);
      return 0;
    }
  }

  private async park(): Promise<void> {
    const now = performance.now();
    if (now - this.parkedAtMs < PARK_EACH_MS) return;
    this.parkedAtMs = now;
    await this.webhooks.park(null);
  }

  private begin(webhookId: string, attempt: Promise<void>): void {
    this.running.set(attempt, webhookId);
    void attempt.finally(() => {
      this.running.delete(attempt);
      this.woken.resolve();
    });
  }

  private runningByWebhook(): Map<string, number> {
    const counts = new Map<string, number>();
    for (const webhookId of this.running.values()) counts.set(webhookId, (counts.get(webhookId) ?? 0) + 1);
    return counts;
  }

  /** Once when it begins and once when it is over. */
  private report(error: Error | null): void {
    const failing = error !== null;
    if (failing === this.failing) return;
    this.failing = failing;
    if (failing) this.logger.warn(`Events cannot be taken from the queue: ${error.message}`);
    else this.logger.log('Events are taken from the queue again');
  }
}
