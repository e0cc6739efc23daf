import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Changes } from '../changes/changes.js';
import { Config } from '../config/config.js';
import type { UpstreamName } from '../upstream/account.js';
import { UpstreamClient } from '../upstream/upstream-client.js';
import { allPages, catalogRows, type CatalogModel } from './parse-catalog.js';
import { SingleFlight } from './single-flight.js';
import { CatalogStore } from './stores/catalog.store.js';

export type CatalogCopy = ReadonlyMap<string, CatalogModel>;

const BYTES_MAX = 16 * 1024 * 1024;
const TIMEOUT_MS = 15_000;
const RETRY_MS_MIN = 1_000;
const RETRY_MS_MAX = 30_000;
/** Spreads processes that started together, so that one of them fetches the list and the others use its copy. */
const JITTER = 0.1;

/**
 * The model catalog: the upstream's model list, fetched in the background and stored in the database (D12). The last good copy
 * stays in use while the upstream is unavailable. No request waits for a refresh.
 */
@Injectable()
export class ModelCatalog implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(ModelCatalog.name);
  private readonly refreshes = new SingleFlight(() => this.fetch());
  private readonly stored = new SingleFlight(() => this.readStored());
  private readonly firstOutcome = Promise.withResolvers<void>();
  private readonly listeners: (() => void)[] = [];
  private readonly ttlMs: number;
  /** Whether a separate account for messages has its own model list (`GW_PROFILE=current`). */
  private readonly hasMessagesList: boolean;
  private current: CatalogCopy | null = null;
  private isSettled = false;
  private storedAt: string | null = null;
  private failures = 0;
  private storeFailing = false;
  private timer: NodeJS.Timeout | undefined;
  private stopped = false;

  constructor(
    config: Config,
    private readonly upstream: UpstreamClient,
    private readonly store: CatalogStore,
    private readonly changes: Changes,
  ) {
    this.ttlMs = config.catalogTtlSeconds * 1_000;
    const { current, upstreamBaseUrl, upstreamMessagesBaseUrl } = config;
    this.hasMessagesList = current && ![null, upstreamBaseUrl].includes(upstreamMessagesBaseUrl);
  }

  onApplicationBootstrap(): void {
    this.changes.subscribe('catalog', () => void this.stored.ask());
    // Not awaited, because the gateway becomes ready even if the upstream is unavailable.
    void this.stored.ask();
    void this.refresh();
  }

  onModuleDestroy(): void {
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

  onChange(listener: () => void): void {
    this.listeners.push(listener);
  }

  /** Fetches the list now. Resolves with false on failure and never rejects. */
  refresh(): Promise<boolean> {
    return this.refreshes.ask();
  }

  private async fetch(): Promise<boolean> {
    const startedAtMs = performance.now();
    try {
      const models = await this.readLists();
      if (this.failures > 0) this.logger.log(`The upstream's model list can be read again: ${models.length} models`);
      this.failures = 0;
      this.take(models);
      this.schedule(this.ttlMs * (1 + JITTER * Math.random()));
      await this.save(models, performance.now() - startedAtMs);
      return true;
    } catch (error) {
      if (this.failures === 0) this.logger.warn(`Cannot read the upstream's model list: ${reasonOf(error)}`);
      this.failures += 1;
      // Settled only after the stored copy was read, because that can take longer than a refused connection.
      if (!this.isSettled) void this.stored.ask().then(() => this.settle());
      const backoffMs = Math.min(RETRY_MS_MIN * 2 ** (this.failures - 1), RETRY_MS_MAX);
      this.schedule(Math.max(Math.min(backoffMs, this.ttlMs) * (1 - JITTER * Math.random()), 1));
      return false;
    }
  }

  private async readLists(): Promise<CatalogModel[]> {
    const models = await allPages((query) => this.fetchPage(query, 'default'));
    return this.hasMessagesList ? catalogRows([...models, ...(await this.readMessagesList())]) : models;
  }

  private async readMessagesList(): Promise<CatalogModel[]> {
    try {
      return await allPages((query) => this.fetchPage(query, 'messages'));
    } catch (error) {
      this.logger.warn(`Cannot read the model list of GW_UPSTREAM_MESSAGES_BASE_URL: ${reasonOf(error)}`);
      return [...(this.current?.values() ?? [])];
    }
  }

  private async fetchPage(query: string, upstream: UpstreamName): Promise<Buffer> {
    const bounds = { bytesMax: BYTES_MAX, timeoutMs: TIMEOUT_MS };
    const { status, body } = await this.upstream.fetchSmall({
      ...{ method: 'GET', path: `/models${query}`, upstream },
      ...bounds,
    });
    if (upstream === 'default') this.upstream.accountRefused = status === 401;
    const advice = status === 401 ? ': the provider rejects the account. Fix GW_UPSTREAM_API_KEY.' : '';
    if (status !== 200) throw new Error(`status ${status}${advice}`);
    return body;
  }

  private async save(models: readonly CatalogModel[], ageMs: number): Promise<void> {
    try {
      const savedAt = await this.store.save(models, ageMs);
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
      const stored = await this.store.newer(this.storedAt);
      this.storeSucceeded();
      // A list fetched in the meantime is usually newer. `save` detects the opposite.
      if (stored === null || this.current !== before) return;
      this.storedAt = stored.fetchedAt;
      this.take(catalogRows(stored.models));
      // Without a timer, the first refresh is still running and will set one.
      if (this.failures > 0 || this.timer === undefined) return;
      this.schedule(Math.max(this.ttlMs * (1 + JITTER * Math.random()) - stored.ageMs, 0));
    } catch (error) {
      this.storeFailed(error);
    }
  }

  private take(models: readonly CatalogModel[]): void {
    if (models.length === 0) return;
    this.current = new Map(models.map((model) => [model.id, model]));
    this.settle();
    for (const listener of this.listeners) listener();
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
    if (!this.storeFailing) this.logger.warn(`Cannot read or store the model list in the database: ${reasonOf(error)}`);
    this.storeFailing = true;
  }
}

/** Prefers the cause, which has details that the public message hides: an address or a system code, never a credential. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error && error.cause.message !== '' ? error.cause.message : error.message;
}
