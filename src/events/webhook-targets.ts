import { Injectable } from '@nestjs/common';
import { Config } from '../config/config.js';
import { validationError } from '../errors/catalogue.js';
import { isGlobalUnicast } from './delivery/address.rules.js';
import { flawOfUrl } from './delivery/target-url.rules.js';

/** Where webhooks may go: to public addresses, or with GW_WEBHOOK_ALLOW_PRIVATE to any (D20). */
@Injectable()
export class WebhookTargets {
  private readonly allowPrivate: boolean;

  constructor({ webhookAllowPrivate }: Config) {
    this.allowPrivate = webhookAllowPrivate;
  }

  /** @param address that a delivery is about to connect to, or has */
  allows(address: string): boolean {
    return this.allowPrivate || isGlobalUnicast(address);
  }

  /** @throws GatewayError `validation_error`, param `url`; a name is not resolved here */
  check(url: string): void {
    const flaw = flawOfUrl(url, this.allowPrivate);
    if (flaw !== null) throw validationError('url', `Invalid value for 'url': it must be ${flaw}.`);
  }
}
