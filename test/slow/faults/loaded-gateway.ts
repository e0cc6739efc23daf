import { expect } from '@jest/globals';
import { OutageLoad } from '../../support/outage-load.js';
import { OwnPostgres } from '../../support/own-postgres.js';
import { until } from '../../support/until.js';
import { TestGateway, type Key } from '../../support/gateway.js';
import { expectEachOnce } from './storage-figures.js';

export const PLENTY_MS = 20_000;

/** A gateway with its own database server, and clients that send requests while that server has a fault. */
export class LoadedGateway {
  busy!: Key;
  load!: OutageLoad;

  private constructor(
    readonly postgres: OwnPostgres,
    readonly gateway: TestGateway,
  ) {}

  /** @param given the folder for the database, as in `OwnPostgres.start` */
  static async start(...given: Parameters<typeof OwnPostgres.start>): Promise<LoadedGateway> {
    const postgres = await OwnPostgres.start(...given);
    return new LoadedGateway(postgres, await TestGateway.start({}, { databaseUrl: postgres.url }));
  }

  async stop(): Promise<void> {
    await this.gateway.stop();
    await this.postgres.drop();
  }

  /** Starts the clients with a new key and waits for the first responses. The caller must stop `load`. */
  async begin(): Promise<void> {
    this.busy = await this.gateway.createKey();
    this.load = new OutageLoad([this.gateway], this.busy.key);
    await until(() => this.load.served > 20, PLENTY_MS);
  }

  readonly query = <R extends object>(sql: string, parameters?: unknown[]): Promise<R[]> =>
    this.postgres.query<R>(sql, parameters);

  async ready() {
    return (await this.gateway.call('GET', '/health/ready')).body;
  }

  /** Resolves after this many more requests have been served. */
  async untilServed(requests: number): Promise<void> {
    const before = this.load.served;
    await until(() => this.load.served > before + requests, PLENTY_MS);
  }

  /** Expects that no client was rejected or kept waiting, and that each request is stored once. */
  async expectUnaffectedClients(): Promise<void> {
    await this.load.stop();
    expect(this.load.statuses).toEqual([200]);
    await expectEachOnce(this.query, this.busy.id, this.load.served);
  }
}
