import { randomBytes, randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { AuditLog, type FieldChanges, fieldChanges } from '../audit-log.js';
import { Config } from '../../platform/config/config.js';
import type { Page } from '../../platform/database/page.js';
import { type Transaction, Transactions } from '../../platform/database/transactions.js';
import { invalidInput, notFound, validationError } from '../../platform/errors/error-factories.js';
import type { AdminActor } from '../../platform/request-context/caller-session.js';
import { Secrets } from '../../platform/secrets.js';
import { type Webhook, WebhookStore } from './stores/webhook.store.js';
import { maskedUrlChange, urlProblem } from './webhook-target.rules.js';

export type { Webhook } from './stores/webhook.store.js';

type WebhookSettings = Pick<Webhook, 'url' | 'events' | 'enabled'>;

/** Each event adds one row per webhook. */
export const WEBHOOKS_MAX = 100;
const SECRET_BYTES = 32;

/**
 * Reads and changes webhooks. A change and its audit row are one transaction (D17). Methods that take an ID throw `not_found`
 * if it is unknown.
 */
@Injectable()
export class WebhooksService {
  constructor(
    private readonly store: WebhookStore,
    private readonly transactions: Transactions,
    private readonly audit: AuditLog,
    private readonly secrets: Secrets,
    private readonly config: Config,
  ) {}

  list(page: Page): Promise<{ total: number; webhooks: Webhook[] }> {
    return this.store.list(page);
  }

  async get(id: string): Promise<Webhook> {
    return orNotFound(await this.store.find(id));
  }

  /**
   * Returns the secret, which is never shown again.
   * @throws GatewayError `validation_error` for a forbidden target, or above 100 webhooks
   */
  async create(settings: WebhookSettings, actor: AdminActor): Promise<{ webhook: Webhook; secret: string }> {
    this.checkTarget(settings.url);
    const id = randomUUID();
    const secret = `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;
    return this.transactions.run(async (transaction) => {
      await this.store.lockCount(transaction);
      if ((await this.store.count(transaction)) >= WEBHOOKS_MAX)
        throw validationError(
          'url',
          `There are already ${WEBHOOKS_MAX} webhooks, which is the maximum. Delete one first.`,
        );
      await this.writeAudit(transaction, actor, {
        action: 'webhook.created',
        id,
        changes: webhookChanges(null, settings),
      });
      const encrypted = this.secrets.encrypt('webhook-secret', secret);
      return { webhook: await this.store.insert(transaction, { id, ...settings, secret: encrypted }), secret };
    });
  }

  /**
   * Disabling a webhook dead-letters its pending deliveries.
   * @throws GatewayError `validation_error` for a forbidden target
   */
  async update(id: string, settings: Partial<WebhookSettings>, actor: AdminActor): Promise<Webhook> {
    if (settings.url !== undefined) this.checkTarget(settings.url);
    return this.transactions.run(async (transaction) => {
      const webhook = orNotFound(await this.store.lock(transaction, id));
      const enabled = settings.enabled ?? webhook.enabled;
      const values = { ...webhook, ...settings, disabledReason: enabled ? null : webhook.disabledReason };
      const changes = webhookChanges(webhook, values);
      if (Object.keys(changes).length === 0) return webhook;
      await this.writeAudit(transaction, actor, { action: 'webhook.updated', id, changes });
      return this.store.update(transaction, id, values);
    });
  }

  delete(id: string, actor: AdminActor): Promise<void> {
    return this.transactions.run(async (transaction) => {
      const webhook = orNotFound(await this.store.lock(transaction, id));
      await this.writeAudit(transaction, actor, {
        action: 'webhook.deleted',
        id,
        changes: webhookChanges(webhook, null),
      });
      await this.store.delete(transaction, id);
    });
  }

  private checkTarget(url: string): void {
    const flaw = urlProblem(url, this.config.webhookAllowPrivate);
    if (flaw !== null) throw invalidInput('url', flaw);
  }

  private writeAudit(
    transaction: Transaction,
    actor: AdminActor,
    { action, id, changes }: WebhookChange,
  ): Promise<void> {
    return this.audit.write(transaction, { action, actor, targetType: 'webhook', targetId: id, metadata: { changes } });
  }
}

interface WebhookChange {
  readonly action: 'webhook.created' | 'webhook.updated' | 'webhook.deleted';
  readonly id: string;
  readonly changes: FieldChanges;
}

function orNotFound(webhook: Webhook | null): Webhook {
  if (webhook === null) throw notFound('Webhook not found');
  return webhook;
}

const AUDITED = { url: 'url', events: 'events', enabled: 'enabled', disabledReason: 'disabled_reason' } as const;

type Audited = Partial<Pick<Webhook, keyof typeof AUDITED>> | null;

/** A change to a masked part of the URL is audited too. */
function webhookChanges(before: Audited, after: Audited): FieldChanges {
  const { url, ...others } = fieldChanges(AUDITED, before, after);
  return url === undefined ? others : { url: maskedUrlChange(url), ...others };
}
