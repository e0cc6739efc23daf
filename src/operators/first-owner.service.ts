import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Config } from '../config/config.js';
import { Database } from '../database/database.service.js';
import { OperatorsService } from './operators.service.js';

const RETRY_MS = 5000;
const NAME = 'Owner';

/**
 * Makes the first owner from GW_OWNER_EMAIL and GW_OWNER_PASSWORD where there is no operator yet, once the migrations have
 * run. It holds up no start and ends none: while the database is away it waits, and after a failure it tries again.
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

  /** Resolves once it has been tried, so that a gateway that says it is ready knows its owner; at once without database. */
  async settled(): Promise<void> {
    if (this.database.state !== 'connecting') await this.firstAttempt;
  }

  private async attempt(): Promise<void> {
    const { ownerEmail: email, ownerPassword: password } = this.config;
    try {
      const owner = await this.operators.createFirst({ email, name: NAME, role: 'owner', password });
      if (owner !== null) this.logger.log('The first owner of the dashboard was made');
    } catch (error) {
      if (this.stopped) return;
      this.logger.warn(`The first owner could not be made, trying again: ${String(error)}`);
      this.timer = setTimeout(() => void this.attempt(), RETRY_MS).unref();
    }
  }
}
