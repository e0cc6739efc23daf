import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { Config } from '../../platform/config/config.js';
import { Database } from '../../platform/database/database.service.js';
import { Secrets } from '../../platform/secrets.js';
import { WebhookStore } from './stores/webhook.store.js';

/**
 * Warns at startup if GW_SECRET_KEY does not decrypt the stored webhook secrets. During a rotation it re-encrypts them with the
 * first key, so that the second key can be removed. The next start retries failures.
 */
@Injectable()
export class WebhookSecretRenewal implements OnApplicationBootstrap {
  private readonly logger = new Logger('Webhooks');
  private renewal: Promise<void> = Promise.resolve();

  constructor(
    private readonly config: Config,
    private readonly database: Database,
    private readonly secrets: Secrets,
    private readonly store: WebhookStore,
  ) {}

  onApplicationBootstrap(): void {
    this.renewSoon();
    this.config.reloads.subscribe(({ secretKeys }) => secretKeys !== undefined && this.renewSoon());
  }

  private renewSoon(): void {
    this.renewal = this.renewal.then(() => this.database.whenReady()).then(() => this.renewAll());
  }

  private async renewAll(): Promise<void> {
    const failures: Error[] = [];
    try {
      for (const stored of await this.store.secrets())
        await this.renew(stored).catch((error: unknown) => failures.push(error as Error));
    } catch (error) {
      failures.push(error as Error);
    }
    if (failures.length === 0) return;
    this.logger.warn(
      `Webhook secrets could not be decrypted or re-encrypted: ${failures.length} failed, first error: ${failures[0]!.message}`,
    );
  }

  private async renew({ id, secret }: { id: string; secret: string }): Promise<void> {
    const plaintext = this.secrets.decrypt('webhook-secret', secret);
    if (!this.secrets.rotating) return;
    const renewed = this.secrets.encrypt('webhook-secret', plaintext);
    await this.store.replaceSecret(id, secret, renewed);
  }
}
