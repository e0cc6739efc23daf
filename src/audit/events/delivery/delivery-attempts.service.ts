import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../platform/clock.js';
import { Config } from '../../../platform/config/config.js';
import { proxyFor } from '../../../platform/egress/egress-proxy.js';
import { Secrets } from '../../../platform/secrets.js';
import { FailingWebhooks } from '../failing-webhooks.service.js';
import { type Claim, ClaimStore, type Outcome } from '../stores/claim.store.js';
import { isGlobalUnicast } from '../public-address.rules.js';
import type { WebhookProxy } from './address-checked-connection.js';
import { DeliveryFailure, excerptOf, isDelivered, retryDelayMs } from './delivery-retry.rules.js';
import { postWebhook } from './post-webhook.js';
import { signedMessage, type WebhookMessage } from './signed-message.js';

const LIMITS = { connectMs: 5000, headMs: 15_000, bodyMs: 1000 } as const;
const RECORD_RETRY_MS = 1000;
/** Sending and recording one attempt takes at most this long. An attempt only starts if the lease lasts longer. */
const ATTEMPT_DURATION_MS_MAX = LIMITS.headMs + LIMITS.bodyMs + 4000;

@Injectable()
export class DeliveryAttempts {
  /** `dead` counts deliveries that are no longer retried. */
  readonly outcomes = { delivered: 0, retry: 0, dead: 0 };

  constructor(
    private readonly config: Config,
    private readonly secrets: Secrets,
    private readonly clock: Clock,
    private readonly claims: ClaimStore,
    private readonly failing: FailingWebhooks,
  ) {}

  /**
   * Never rejects. Recording the result is retried until the lease ends. After that, the message is sent again (at least once).
   * @param leasedUntilMs by `performance.now()`
   * @param stop returns the delivery to the queue, unless a response has arrived
   */
  async make(claim: Claim, leasedUntilMs: number, stop: AbortSignal): Promise<void> {
    // The process might have been suspended since the claim.
    if (performance.now() > leasedUntilMs - ATTEMPT_DURATION_MS_MAX) return;
    const outcome = await this.send(claim, stop);
    const write = outcome === null ? () => this.claims.release(claim) : () => this.record(claim, outcome);
    while (!(await succeeds(write))) {
      if (stop.aborted || performance.now() > leasedUntilMs - RECORD_RETRY_MS) return;
      await pause(RECORD_RETRY_MS, undefined, { signal: stop }).catch(() => undefined);
    }
  }

  private async record(claim: Claim, outcome: Outcome): Promise<void> {
    const failedForLong = await this.claims.record(claim, outcome);
    this.outcomes[outcome.delivered ? 'delivered' : outcome.retryInMs === null ? 'dead' : 'retry'] += 1;
    // If this fails, the next failed attempt disables the webhook.
    if (failedForLong) await succeeds(() => this.failing.disableFailing(claim.webhookId));
  }

  private async send(claim: Claim, stop: AbortSignal): Promise<Outcome | null> {
    try {
      const judge = (address: string) => this.config.webhookAllowPrivate || isGlobalUnicast(address);
      const proxy = this.proxyOf(claim);
      const response = await postWebhook(this.messageOf(claim), { judge, limits: LIMITS, stop, proxy });
      const delivered = isDelivered(response.status);
      const retryInMs = delivered ? null : retryDelayOf(claim);
      return { delivered, responseStatus: response.status, responseExcerpt: excerptOf(response.body), retryInMs };
    } catch (error) {
      if (stop.aborted) return null;
      const { message } = DeliveryFailure.of(error);
      return { delivered: false, responseStatus: null, responseExcerpt: message, retryInMs: retryDelayOf(claim) };
    }
  }

  /** The proxy can resolve the name if private addresses are allowed, because there is nothing to check. */
  private proxyOf({ url }: Claim): WebhookProxy | null {
    const proxy = proxyFor(this.config, new URL(url));
    return proxy === null ? null : { proxy, resolvesNames: this.config.webhookAllowPrivate };
  }

  private messageOf(claim: Claim): WebhookMessage {
    try {
      return signedMessage(claim, this.secrets.decrypt('webhook-secret', claim.secret), this.clock.now());
    } catch (error) {
      throw new DeliveryFailure('secret', error);
    }
  }
}

const retryDelayOf = ({ roundFailures, roundMs }: Claim) => retryDelayMs(roundFailures + 1, roundMs, Math.random());

const succeeds = (work: () => Promise<void>): Promise<boolean> =>
  work().then(
    () => true,
    () => false,
  );
