import { Logger } from '@nestjs/common';
import type { Api } from '../platform/config/upstreams/upstreams-file.js';
import type { UpstreamClient } from '../upstream/upstream-client.js';
import type { Upstream } from '../upstream/upstream.js';
import { allPages, catalogRows, withoutSecrets, type CatalogModel } from './parse-catalog.js';
import { SingleFlight } from '../platform/changes/single-flight.js';
import type { CatalogStore } from './stores/catalog.store.js';
import { errorReason } from '../platform/errors/gateway-error.js';

export type CatalogCopy = ReadonlyMap<string, CatalogModel>;

const BYTES_MAX = 16 * 1024 * 1024;
const TIMEOUT_MS = 15_000;
const RETRY_MS_MIN = 1_000;
const RETRY_MS_MAX = 30_000;
/** Spreads processes that started together, so that one of them fetches the list and the others use its copy. */
const JITTER = 0.1;

export interface CatalogSource {
  readonly upstream: Upstream;
  /** The other address of a single account, if it has its own model list (`GW_PROFILE=current`). */
  readonly second?: Upstream | undefined;
  /** For the log: `the upstream's model list`. */
  readonly title: string;
  /** How to correct a rejected credential. */
  readonly advice: string;
}

interface FeedServices {
  readonly client: UpstreamClient;
  readonly store: CatalogStore;
  readonly ttlMs: number;
  readonly onChange: () => void;
}

/**
 * The model list of one upstream, fetched in the background and stored in the database (D12). The last good copy stays in use
 * while the upstream is unavailable. No request waits for a refresh.
 */
export class CatalogFeed {
  private readonly logger = new Logger('ModelCatalog');
  private readonly refreshes = new SingleFlight(() => this.fetch());
  private readonly stored = new SingleFlight(() => this.readStored());
  private readonly firstOutcome = Promise.withResolvers<void>();
  private current: CatalogCopy | null = null;
  private isSettled = false;
  private storedAt: string | null = null;
  private failures = 0;
  private storeFailing = false;
  private timer: NodeJS.Timeout | undefined;
  private stopped = false;

  constructor(
    private source: CatalogSource,
    private readonly services: FeedServices,
  ) {}

  start(): void {
    this.readAgain();
    void this.refresh();
  }

  /** Reads the stored copy, which another process might have replaced. */
  readAgain(): void {
    void this.stored.ask();
  }

  /** A reload has replaced the upstream. The list in use stays until the new one has been read. */
  follow(source: CatalogSource): void {
    this.source = source;
    void this.refresh();
  }

  stop(): void {
    this.stopped = true;
    clearTimeout(this.timer);
  }

  get copy(): CatalogCopy | null {
    return this.current;
  }

  /** True if the upstream's current list is unknown: there is no copy, or the last refresh failed. */
  get unconfirmed(): boolean {
    return this.current === null || this.failures > 0;
  }

  /** True once a copy exists, or once the first refresh has failed and no copy was stored. */
  get settled(): boolean {
    return this.isSettled;
  }

  get whenSettled(): Promise<void> {
    return this.firstOutcome.promise;
  }

  /** Fetches the list now. Resolves with false on failure and never rejects. */
  refresh(): Promise<boolean> {
    return this.refreshes.ask();
  }

  private async fetch(): Promise<boolean> {
    const startedAtMs = performance.now();
    try {
      const models = withoutSecrets(await this.readLists(), this.services.client.secrets);
      if (models.length === 0) throw new Error('each model of the list contains a credential');
      if (this.failures > 0)
        this.logger.log(`${capitalized(this.source.title)} can be read again: ${models.length} models`);
      this.failures = 0;
      this.take(models);
      this.schedule(this.services.ttlMs * (1 + JITTER * Math.random()));
      await this.save(models, performance.now() - startedAtMs);
      return true;
    } catch (error) {
      if (this.failures === 0) this.logger.warn(`Cannot read ${this.source.title}: ${errorReason(error)}`);
      this.failures += 1;
      // Settled only after the stored copy was read, because that can take longer than a refused connection.
      if (!this.isSettled) void this.stored.ask().then(() => this.settle());
      const backoffMs = Math.min(RETRY_MS_MIN * 2 ** (this.failures - 1), RETRY_MS_MAX);
      this.schedule(Math.max(Math.min(backoffMs, this.services.ttlMs) * (1 - JITTER * Math.random()), 1));
      return false;
    }
  }

  private async readLists(): Promise<CatalogModel[]> {
    const { upstream, second } = this.source;
    const models = await allPages((query) => this.fetchPage(query, upstream, upstream.apis[0]!));
    return second === undefined ? models : catalogRows([...models, ...(await this.readSecondList(second))]);
  }

  private async readSecondList(second: Upstream): Promise<CatalogModel[]> {
    try {
      return await allPages((query) => this.fetchPage(query, second, 'anthropic'));
    } catch (error) {
      this.logger.warn(`Cannot read the model list of GW_UPSTREAM_MESSAGES_BASE_URL: ${errorReason(error)}`);
      return [...(this.current?.values() ?? [])];
    }
  }

  private async fetchPage(query: string, upstream: Upstream, api: Api): Promise<Buffer> {
    const { status, body } = await this.services.client.fetchSmall({
      method: 'GET',
      path: `/models${query}`,
      upstream,
      api,
      bytesMax: BYTES_MAX,
      timeoutMs: TIMEOUT_MS,
    });
    upstream.accountRefused = status === 401;
    const advice = status === 401 ? `: the provider rejects the account. ${this.source.advice}` : '';
    if (status !== 200) throw new Error(`status ${status}${advice}`);
    return body;
  }

  private async save(models: readonly CatalogModel[], ageMs: number): Promise<void> {
    try {
      const savedAt = await this.services.store.save(this.source.upstream.name, models, ageMs);
      this.storeSucceeded();
      if (savedAt === null) await this.stored.ask();
      else this.storedAt = savedAt;
    } catch (error) {
      this.storeFailed(error);
    }
  }

  private async readStored(): Promise<void> {
    const before = this.current;
    try {
      const stored = await this.services.store.newer(this.source.upstream.name, this.storedAt);
      this.storeSucceeded();
      // A list fetched in the meantime is usually newer. `save` detects the opposite.
      if (stored === null || this.current !== before) return;
      this.storedAt = stored.fetchedAt;
      this.take(withoutSecrets(catalogRows(stored.models), this.services.client.secrets));
      // Without a timer, the first refresh is still running and will set one.
      if (this.failures > 0 || this.timer === undefined) return;
      this.schedule(Math.max(this.services.ttlMs * (1 + JITTER * Math.random()) - stored.ageMs, 0));
    } catch (error) {
      this.storeFailed(error);
    }
  }

  private take(models: readonly CatalogModel[]): void {
    if (models.length === 0) return;
    this.current = new Map(models.map((model) => [model.id, model]));
    this.settle();
    this.services.onChange();
  }

  private settle(): void {
    this.isSettled = true;
    this.firstOutcome.resolve();
  }

  private schedule(delayMs: number): void {
    clearTimeout(this.timer);
    if (!this.stopped) this.timer = setTimeout(() => void this.refresh(), delayMs).unref();
  }

  private storeSucceeded(): void {
    if (this.storeFailing) this.logger.log('The stored model list is available again');
    this.storeFailing = false;
  }

  private storeFailed(error: unknown): void {
    if (!this.storeFailing)
      this.logger.warn(`Cannot read or store the model list in the database: ${errorReason(error)}`);
    this.storeFailing = true;
  }
}

const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
