import { setTimeout as pause } from 'node:timers/promises';
import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Database } from '../../../platform/database/database.service.js';
import { WatchConnection } from '../../../platform/database/watch-connection.js';
import { DUE_CHANNEL } from '../outbox.js';
import { ClaimStore, LEASE_MS } from '../stores/claim.store.js';
import { WebhookStore } from '../stores/webhook.store.js';
import { DeliveryAttempts } from './delivery-attempts.service.js';

/** A limit for all webhooks together could be used up by a few hanging receivers. */
const PER_WEBHOOK_MAX = 2;
/** Polling finds retries, and deliveries whose notification was lost. */
const POLL_INTERVAL_MS = 1000;
const DEAD_LETTER_INTERVAL_MS = 2000;
const SHUTDOWN_GRACE_MS = 5000;

/**
 * Delivers due messages until shutdown. A database notification, a finished attempt, or a one-second timer wakes it. During a
 * database outage it waits. Its deliveries are leased, so none is lost if the process dies.
 */
@Injectable()
export class DeliveryWorker implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger('Webhooks');
  private readonly running = new Map<Promise<void>, string>();
  private readonly stopping = new AbortController();
  private readonly abortAttempts = new AbortController();
  private loop: Promise<void> | null = null;
  private woken = Promise.withResolvers<void>();
  private deadLetteredAtMs = -Infinity;
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

  /** Stops claiming deliveries. Attempts in progress have 5 s to finish, and are then returned to the queue. */
  async onModuleDestroy(): Promise<void> {
    this.stopping.abort();
    this.woken.resolve();
    await this.loop;
    const ended = Promise.all(this.running.keys());
    await Promise.race([ended, pause(SHUTDOWN_GRACE_MS, undefined, { ref: false })]);
    this.abortAttempts.abort();
    await ended;
  }

  private async deliver(): Promise<void> {
    while (!this.stopping.signal.aborted) {
      this.woken = Promise.withResolvers();
      const started = await this.startDueAttempts();
      if (started === 0) await Promise.race([this.woken.promise, pause(POLL_INTERVAL_MS, undefined, { ref: false })]);
    }
  }

  private async startDueAttempts(): Promise<number> {
    if (this.database.state !== 'ready') return 0;
    const leasedUntilMs = performance.now() + LEASE_MS;
    try {
      await this.deadLetter();
      const claims = await this.claims.claim(PER_WEBHOOK_MAX, this.runningByWebhook());
      for (const claim of claims)
        this.track(claim.webhookId, this.attempts.make(claim, leasedUntilMs, this.abortAttempts.signal));
      this.report(null);
      return claims.length;
    } catch (error) {
      this.report(error as Error);
      return 0;
    }
  }

  private async deadLetter(): Promise<void> {
    const now = performance.now();
    if (now - this.deadLetteredAtMs < DEAD_LETTER_INTERVAL_MS) return;
    this.deadLetteredAtMs = now;
    await this.webhooks.deadLetter(null);
  }

  private track(webhookId: string, attempt: Promise<void>): void {
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

  private report(error: Error | null): void {
    const failing = error !== null;
    if (failing === this.failing) return;
    this.failing = failing;
    if (failing) this.logger.warn(`Webhook deliveries cannot be claimed: ${error.message}`);
    else this.logger.log('Webhook deliveries can be claimed again');
  }
}
