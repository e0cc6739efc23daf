import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Config } from '../../platform/config/config.js';
import { Database } from '../../platform/database/database.service.js';
import { serviceUnavailable } from '../../platform/errors/error-factories.js';
import { OperatorsService } from './operators.service.js';

const RETRY_MS = 5000;
const NAME = 'Owner';

/**
 * Creates the first owner from GW_OWNER_EMAIL and GW_OWNER_PASSWORD after the migrations, if no operator exists. A failure is
 * retried and does not abort startup. A database outage delays the creation but not the startup.
 */
@Injectable()
export class FirstOwner implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(FirstOwner.name);
  private lastAttempt: Promise<void> | null = null;
  private retry: NodeJS.Timeout | undefined;
  private stopped = false;

  constructor(
    private readonly config: Config,
    private readonly database: Database,
    private readonly operators: OperatorsService,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    const { ownerEmail, ownerPassword } = this.config;
    if (ownerEmail === '' || ownerPassword === '') return;
    this.lastAttempt = this.database.whenReady().then(() => this.attempt());
    if (this.database.state !== 'connecting') await this.lastAttempt;
  }

  onModuleDestroy(): void {
    this.stopped = true;
    clearTimeout(this.retry);
  }

  /**
   * Waits for the first owner, who could otherwise be rejected for wrong credentials. Resolves immediately if the database was
   * never reached.
   * @throws GatewayError `service_unavailable` if the owner cannot be created
   */
  async settled(): Promise<void> {
    if (this.database.state === 'connecting') return;
    await this.lastAttempt;
    if (this.retry !== undefined) void this.tryAgain();
    await this.lastAttempt;
    if (this.retry !== undefined) throw serviceUnavailable(new Error('the first owner was not created'));
  }

  private tryAgain(): Promise<void> {
    clearTimeout(this.retry);
    this.retry = undefined;
    return (this.lastAttempt = this.attempt());
  }

  private async attempt(): Promise<void> {
    const { ownerEmail: email, ownerPassword: password } = this.config;
    try {
      const owner = await this.operators.createFirst({ email, name: NAME, role: 'owner', password });
      if (owner !== null) this.logger.log('Created the first owner of the dashboard');
    } catch (error) {
      if (this.stopped) return;
      this.logger.warn(`Could not create the first owner, retrying: ${String(error)}`);
      this.retry = setTimeout(() => void this.tryAgain(), RETRY_MS).unref();
    }
  }
}
