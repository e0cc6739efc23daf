import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Changes } from '../platform/changes/changes.js';
import { Config } from '../platform/config/config.js';
import { FROM_CATALOG } from '../platform/config/upstreams/upstreams-file.js';
import { UpstreamClient } from '../upstream/upstream-client.js';
import type { ConfiguredUpstream } from '../upstream/upstream-list.js';
import { CatalogFeed, type CatalogCopy, type CatalogSource } from './catalog-feed.js';
import { servedModels, unionOf } from './upstream-models.rules.js';
import { CatalogStore } from './stores/catalog.store.js';

export type { CatalogCopy } from './catalog-feed.js';

/**
 * The model catalog: the models of all upstreams (D12). Each upstream has its own list, which comes from the provider or from
 * `GW_UPSTREAMS`, so an unavailable upstream does not affect the others.
 */
@Injectable()
export class ModelCatalog implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly listeners: (() => void)[] = [];
  private readonly feeds = new Map<string, CatalogFeed>();
  private readonly firstOutcome = Promise.withResolvers<void>();
  /** Models by upstream; null before the first list of an upstream. */
  private served: ReadonlyMap<string, CatalogCopy | null> = new Map();
  private current: CatalogCopy | null = null;
  private isSettled = false;

  constructor(
    private readonly config: Config,
    private readonly client: UpstreamClient,
    private readonly store: CatalogStore,
    private readonly changes: Changes,
  ) {
    this.followUpstreams();
    client.onChange(() => {
      this.followUpstreams((feed) => feed.start());
      this.rebuild();
    });
  }

  onApplicationBootstrap(): void {
    this.changes.subscribe('catalog', () => {
      for (const feed of this.feeds.values()) feed.readAgain();
    });
    // Not awaited, because the gateway becomes ready even if the upstream is unavailable.
    for (const feed of this.feeds.values()) feed.start();
    void Promise.all([...this.feeds.values()].map((feed) => feed.whenSettled)).then(() => this.settle());
    this.rebuild();
  }

  onModuleDestroy(): void {
    for (const feed of this.feeds.values()) feed.stop();
  }

  get copy(): CatalogCopy | null {
    return this.current;
  }

  /** The models of one upstream with its own list, including aliases. Null if the list has not been read yet. */
  modelsOf(upstream: string): CatalogCopy | null {
    return this.served.get(upstream) ?? null;
  }

  /** False until the provider's list has been read. Aliases are known before. */
  hasList(upstream: string): boolean {
    return this.feeds.get(upstream)?.copy !== null;
  }

  /** True if the list of each upstream has been read once. */
  get complete(): boolean {
    return this.current !== null && [...this.feeds.values()].every((feed) => feed.copy !== null);
  }

  /** True if an upstream's current list is unknown: there is no copy, or the last refresh failed. */
  get unconfirmed(): boolean {
    return this.current === null || [...this.feeds.values()].some((feed) => feed.unconfirmed);
  }

  /** True once each upstream has a copy, or its first refresh has failed and no copy was stored. */
  get settled(): boolean {
    return this.isSettled;
  }

  get whenSettled(): Promise<void> {
    return this.firstOutcome.promise;
  }

  onChange(listener: () => void): void {
    this.listeners.push(listener);
  }

  /** Fetches all lists now. Resolves with false if one fails, and never rejects. */
  async refresh(): Promise<boolean> {
    const results = await Promise.all([...this.feeds.values()].map((feed) => feed.refresh()));
    return results.every((refreshed) => refreshed);
  }

  private followUpstreams(start: (feed: CatalogFeed) => void = () => {}): void {
    const sources = this.client.list.filter(hasFeed).map((each) => this.sourceOf(each));
    for (const source of sources) {
      const { name } = source.upstream;
      const known = this.feeds.get(name);
      if (known !== undefined) {
        known.follow(source);
        continue;
      }
      const { client, store } = this;
      const ttlMs = this.config.catalogTtlSeconds * 1_000;
      const feed = new CatalogFeed(source, { client, store, ttlMs, onChange: () => this.rebuild() });
      this.feeds.set(name, feed);
      start(feed);
    }
    for (const [name, feed] of this.feeds) {
      if (sources.some(({ upstream }) => upstream.name === name)) continue;
      feed.stop();
      this.feeds.delete(name);
    }
  }

  private sourceOf({ upstream }: ConfiguredUpstream): CatalogSource {
    if (upstream.isNamed) {
      const advice = 'Correct its credential in GW_UPSTREAMS.';
      return { upstream, title: `the model list of the upstream ${upstream.name}`, advice };
    }
    const { isCurrentProfile, upstreamBaseUrl, upstreamMessagesBaseUrl } = this.config;
    const hasMessagesList = isCurrentProfile && ![null, upstreamBaseUrl].includes(upstreamMessagesBaseUrl);
    return {
      upstream,
      second: hasMessagesList ? this.client.byName('messages') : undefined,
      title: "the upstream's model list",
      advice: 'Fix GW_UPSTREAM_API_KEY.',
    };
  }

  private rebuild(): void {
    const own = this.client.list.filter(({ spec, catalog }) => spec.name === catalog);
    this.served = new Map(
      own.map(({ spec }) => [spec.name, servedModels(spec, this.feeds.get(spec.name)?.copy ?? null)]),
    );
    this.current = unionOf([...this.served.values()]);
    // Most processes start with a stored copy. They need not wait for the upstreams.
    if ([...this.feeds.values()].every((feed) => feed.settled)) this.settle();
    for (const listener of this.listeners) listener();
  }

  private settle(): void {
    this.isSettled = true;
    this.firstOutcome.resolve();
  }
}

const hasFeed = ({ spec, catalog }: ConfiguredUpstream): boolean =>
  spec.models === FROM_CATALOG && spec.name === catalog;
