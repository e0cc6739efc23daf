import { Logger } from '@nestjs/common';
import { Clock } from '../../src/platform/clock.js';
import { Config } from '../../src/platform/config/config.js';
import { Admission } from '../../src/quota/admission.service.js';
import { Outage } from '../../src/quota/outage.service.js';
import type { QuotaStore } from '../../src/quota/ledger/quota-store.js';
import type { KeySnapshot } from '../../src/platform/request-context/key-snapshot.js';
import { openStore, untilReachable } from '../support/open-store.js';
import { QuotaDatabase } from '../support/quota-database.js';
import { until } from '../support/until.js';
import { CutProxy } from './cut-proxy.js';

/** A stopped clock that only tests move, like the clock of the database. */
class HeldClock extends Clock {
  ms = 0;
  override now(): number {
    return this.ms;
  }
}

/** A process whose database a test can take away. */
export class OutageBench {
  proxy!: CutProxy;
  store!: QuotaStore;
  outage!: Outage;
  admission!: Admission;
  readonly clock = new HeldClock();

  private constructor(readonly database: QuotaDatabase) {}

  static async open(): Promise<OutageBench> {
    Logger.overrideLogger(false);
    return new OutageBench(await QuotaDatabase.create());
  }

  /** For `beforeEach`. */
  async begin(nowMs: number): Promise<void> {
    await this.moveTo(nowMs);
    this.proxy = await CutProxy.before(this.database.url);
    this.store = await openStore(this.proxy.url);
    this.outage = new Outage(Config.from({}), this.clock, this.store);
    this.admission = new Admission(this.store, this.outage);
  }

  /** For `afterEach`. */
  async end(): Promise<void> {
    await this.store.onApplicationShutdown();
    this.proxy.close();
  }

  close(): Promise<void> {
    return this.database.drop();
  }

  async moveTo(ms: number): Promise<void> {
    this.clock.ms = ms;
    await this.database.setNow(ms);
  }

  async knownKey(limits: Parameters<QuotaDatabase['addKey']>[0] = {}): Promise<KeySnapshot> {
    const key = await this.database.addKey(limits);
    this.outage.learn(key, (await this.store.readCounts([key.id])).get(key.id)!);
    return key;
  }

  async disconnect(): Promise<void> {
    this.proxy.refuse(true);
    this.proxy.cut();
    await until(() => this.outage.isActive);
  }

  async reconnect(): Promise<void> {
    this.proxy.refuse(false);
    await untilReachable(this.store);
  }

  /** Moves the start of the outage. */
  outageBeginsIn(ms: number): void {
    Object.defineProperty(this.store, 'unavailableSinceMs', { configurable: true, get: () => performance.now() + ms });
  }
}
