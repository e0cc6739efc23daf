import { Injectable, Logger } from '@nestjs/common';
import { AuditLog } from '../audit-log.js';
import { Transactions } from '../../platform/database/transactions.js';
import { SYSTEM_ACTOR } from '../../platform/request-context/caller-session.js';
import { maskedUrl } from './webhook-target.rules.js';
import { FAILING_FOR_MAX } from './stores/claim.store.js';
import { NotificationStore } from './stores/notification.store.js';
import { WebhookStore } from './stores/webhook.store.js';

/** Disables webhooks whose deliveries have all failed for three days, and notifies the operators (D20). */
@Injectable()
export class FailingWebhooks {
  private readonly logger = new Logger('Webhooks');

  constructor(
    private readonly webhooks: WebhookStore,
    private readonly notifications: NotificationStore,
    private readonly transactions: Transactions,
    private readonly audit: AuditLog,
  ) {}

  /** Does nothing if a delivery has succeeded or the webhook was disabled in the meantime. */
  async disableFailing(id: string): Promise<void> {
    const off = await this.transactions.run(async (transaction) => {
      const url = await this.webhooks.disableFailing(transaction, id);
      if (url === null) return false;
      const changes = { enabled: { old: true, new: false }, disabled_reason: { old: null, new: 'failing' } };
      const target = { targetType: 'webhook', targetId: id };
      await this.audit.write(transaction, {
        action: 'webhook.updated',
        actor: SYSTEM_ACTOR,
        ...target,
        metadata: { changes },
      });
      const data = { webhook_id: id, url: maskedUrl(url), reason: 'failing' };
      await this.notifications.insert(transaction, 'webhook_disabled', data);
      return true;
    });
    if (off) this.logger.warn(`Disabled the webhook ${id}: all deliveries have failed for ${FAILING_FOR_MAX}`);
  }
}
