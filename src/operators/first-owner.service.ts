import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Config } from '../config/config.js';
import { Database } from '../database/database.service.js';
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
  private firstAttempt: Promise<void> | null = null;
  private timer: NodeJS.Timeout | undefined;
  private stopped = false;

  constructor(
    private readonly config: Config,
    private readonly database: Database,
    private readonly operators: OperatorsService,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    const { ownerEmail, ownerPassword } = this.config;
    if (ownerEmail === '' || ownerPassword === '') return;
    this.firstAttempt = this.database.whenReady().then(() => this.attempt());
    await this.settled();
  }

  onModuleDestroy(): void {
    this.stopped = true;
    clearTimeout(this.timer);
  }

  /** Resolves after the first attempt, so that a ready gateway has its owner. Resolves immediately during a database outage. */
  async settled(): Promise<void> {
    if (this.database.state !== 'connecting') await this.firstAttempt;
  }

  private async attempt(): Promise<void> {
    const { ownerEmail: email, ownerPassword: password } = this.config;
    try {
      const owner = await this.operators.createFirst({ email, name: NAME, role: 'owner', password });
      if (owner !== null) this.logger.log('Created the first owner of the dashboard');
    } catch (error) {
      if (this.stopped) return;
      this.logger.warn(`Could not create the first owner, retrying: ${String(error)}`);
      this.timer = setTimeout(() => void this.attempt(), RETRY_MS).unref();
    }
  }
}
