import { expect } from '@jest/globals';
import { OutageLoad } from '../support/outage-load.js';
import { OwnPostgres } from '../support/own-postgres.js';
import { until } from '../support/until.js';
import { TestGateway, type Key } from '../support/gateway.js';
import { expectEachOnce } from './storage-figures.js';

/** 2 s are promised, on a machine that has something to spare. */
const ANSWER_MS_MAX = 4000;
export const FOUND_AGAIN_MS_MAX = 5000;
export const PLENTY_MS = 20_000;

/** A gateway on a database server of its own, and clients that ask without a pause while something happens to that server. */
export class LoadedGateway {
  busy!: Key;
  load!: OutageLoad;

  private constructor(
    readonly postgres: OwnPostgres,
    readonly gateway: TestGateway,
  ) {}

  /** @param given where its files are to be, as `OwnPostgres.start` takes it */
  static async start(...given: Parameters<typeof OwnPostgres.start>): Promise<LoadedGateway> {
    const postgres = await OwnPostgres.start(...given);
    return new LoadedGateway(postgres, await TestGateway.start({}, { databaseUrl: postgres.url }));
  }

  async stop(): Promise<void> {
    await this.gateway.stop();
    await this.postgres.drop();
  }

  /** Clients with a new key, of whom some are already served. Who calls this stops `load`. */
  async begin(): Promise<void> {
    this.busy = await this.gateway.createKey();
    this.load = new OutageLoad([this.gateway], this.busy.key);
    await until(() => this.load.served > 20, PLENTY_MS);
  }

  readonly ask = <R extends object>(sql: string, parameters?: unknown[]): Promise<R[]> =>
    this.postgres.query<R>(sql, parameters);

  async ready() {
    return (await this.gateway.call('GET', '/health/ready')).body;
  }

  /** Settles when so many more requests are served. */
  async goesOn(requests: number): Promise<void> {
    const before = this.load.served;
    await until(() => this.load.served > before + requests, PLENTY_MS);
  }

  /** Nobody was refused or kept waiting, and all of it is stored, once. */
  async expectNobodyNoticed(): Promise<void> {
    await this.load.stop();
    expect(this.load.statuses).toEqual([200]);
    expect(this.load.longestMs).toBeLessThan(ANSWER_MS_MAX);
    await expectEachOnce(this.ask, this.busy.id, this.load.served);
  }
}
