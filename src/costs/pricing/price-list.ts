import { EXTRA_PRICES } from './extra-prices.data.js';
import { compileClause, compilePattern, exactNames, type NameTest } from './match-clause.rules.js';
import { PRICE_LIST_JSON } from './price-list.data.js';
import { rowsOf, withExtraPrices, type ListedProvider } from './price-list-rows.js';
import { appliesAt } from './price-period.rules.js';
import type { PriceRow } from './price-row.js';
import { MAKER_ALIASES, PROVIDER_HOSTS } from './provider-hosts.data.js';
import { LruCache } from '../../platform/fairness/lru-cache.js';

export interface ListedPriceQuery {
  /** A slug of the price list (`openai`, `openrouter`), if the operator has named one. It wins over the base URL. */
  readonly provider?: string;
  readonly baseUrl?: URL;
  readonly model: string;
  readonly atMs: number;
}

export interface FoundPrice {
  readonly row: PriceRow;
  /** Such as `list 0.1.8 openai/gpt-4o`. */
  readonly identity: string;
  /** `maker`: neither the provider nor the host is known, so the price is that of the model's own maker. */
  readonly foundBy: 'provider' | 'host' | 'maker';
  /** The region that the base URL implies, if it changes the price. */
  readonly region: string | null;
}

interface Provider {
  readonly id: string;
  readonly url: RegExp;
  readonly makes: NameTest | null;
  readonly named: NameTest | null;
  readonly fallbacks: readonly string[];
  /** Compiled at the first use, because an installation uses few providers. */
  readonly models: () => Models;
}

interface Models {
  readonly exact: ReadonlyMap<string, Model>;
  readonly inOrder: readonly Model[];
}

interface Model {
  readonly matches: NameTest;
  readonly rows: readonly PriceRow[];
}

/** Where a search begins, and the results of earlier searches from there by model. */
interface SearchOrigin {
  /** Null: the makers of all models. */
  readonly provider: Provider | null;
  readonly foundBy: FoundPrice['foundBy'];
  readonly region: string | null;
  readonly found: LruCache<string, readonly FoundPrice[]>;
}

/** Longer names are not in the list. The limit also bounds the time of regular expressions. */
const NAME_LENGTH_MAX = 256;
const URL_LENGTH_MAX = 2048;
const CACHED_MODELS_MAX = 1000;

/** Published prices. */
export class PriceList {
  private readonly providers: readonly Provider[];
  private readonly byId: ReadonlyMap<string, Provider>;
  private readonly makers = originOf(null, 'maker');
  /** Origins that share a provider also share its cached results. */
  private readonly origins = new Map<string, SearchOrigin>();
  private readonly originsByUrl = new WeakMap<URL, SearchOrigin>();
  private readonly originsByName = new LruCache<string, SearchOrigin>(100);

  constructor(listed: readonly ListedProvider[] = publishedProviders()) {
    this.providers = listed.map(providerOf);
    this.byId = new Map(this.providers.map((provider) => [provider.id, provider]));
  }

  /**
   * The price of a model at a time.
   *
   * @returns null if the provider does not list the model; the request is then unpriced, not free
   */
  findPrice({ provider, baseUrl, model, atMs }: ListedPriceQuery): FoundPrice | null {
    const origin = this.originOfQuery(provider, baseUrl);
    let found = origin.found.get(model);
    if (found === undefined) {
      found = this.search(origin, model);
      origin.found.set(model, found);
    }
    // Later rows win.
    return found.findLast(({ row }) => appliesAt(row, atMs)) ?? null;
  }

  private originOfQuery(provider: string | undefined, baseUrl: URL | undefined): SearchOrigin {
    const named = provider === undefined ? undefined : this.originOfName(provider);
    if (named !== undefined) return named;
    return baseUrl === undefined ? this.makers : this.originOfUrl(baseUrl);
  }

  private originOfName(name: string): SearchOrigin | undefined {
    const known = this.originsByName.get(name);
    if (known !== undefined) return known;
    const lower = name.toLowerCase().trim().slice(0, NAME_LENGTH_MAX);
    const provider = this.byId.get(lower) ?? this.providers.find(({ named }) => named?.(lower) === true);
    if (provider === undefined) return undefined;
    const origin = this.shared(originOf(provider, 'provider'));
    this.originsByName.set(name, origin);
    return origin;
  }

  private originOfUrl(baseUrl: URL): SearchOrigin {
    let origin = this.originsByUrl.get(baseUrl);
    if (origin === undefined) {
      origin = this.shared(this.newOriginOfUrl(baseUrl));
      this.originsByUrl.set(baseUrl, origin);
    }
    return origin;
  }

  private newOriginOfUrl({ protocol, host, hostname, pathname }: URL): SearchOrigin {
    const special = PROVIDER_HOSTS.find((row) => row.host.test(hostname));
    if (special !== undefined) return originOf(this.byId.get(special.provider) ?? null, 'host', special.region);
    const address = `${protocol}//${host}${pathname}`.slice(0, URL_LENGTH_MAX);
    const provider = this.providers.find(({ url }) => url.test(address));
    return provider === undefined ? this.makers : originOf(provider, 'host');
  }

  /** Returns the known origin if there is an equal one. Their number is bounded by the providers and hosts of the data. */
  private shared(origin: SearchOrigin): SearchOrigin {
    const { provider, foundBy, region } = origin;
    const key = `${provider?.id ?? ''} ${foundBy} ${region ?? ''}`;
    const known = this.origins.get(key);
    if (known === undefined) this.origins.set(key, origin);
    return known ?? origin;
  }

  private search({ provider, foundBy, region }: SearchOrigin, model: string): readonly FoundPrice[] {
    const name = model.toLowerCase().trim();
    if (name.length > NAME_LENGTH_MAX) return [];
    // The factors of the provider that bills apply, although the price can be that of the maker.
    const rows =
      provider === null
        ? this.rowsOfMaker(name)
        : this.rowsAt(provider, name).map((row) => ({ ...row, provider: provider.id }));
    return rows.map((row) => ({ row, identity: identityOf(row), foundBy, region }));
  }

  private rowsAt(provider: Provider, name: string): readonly PriceRow[] {
    for (const form of nameForms(provider.id, name)) {
      const model = this.modelOf(provider, form);
      if (model !== undefined) return model.rows;
    }
    return [];
  }

  private modelOf(provider: Provider, name: string): Model | undefined {
    const makers = provider.fallbacks.map((id) => this.byId.get(id)).filter((maker) => maker !== undefined);
    for (const { models } of [provider, ...makers]) {
      const { exact, inOrder } = models();
      const model = exact.get(name) ?? inOrder.find(({ matches }) => matches(name));
      if (model !== undefined) return model;
    }
    return undefined;
  }

  /** `openai/gpt-5` names its maker. Other names are recognized by their maker. */
  private rowsOfMaker(name: string): readonly PriceRow[] {
    const slash = name.indexOf('/');
    if (slash > 0) {
      const prefix = name.slice(0, slash);
      const named = this.byId.get(MAKER_ALIASES[prefix] ?? prefix);
      if (named !== undefined) return this.rowsAt(named, name.slice(slash + 1));
    }
    const maker = this.providers.find(({ makes }) => makes?.(name) === true);
    if (maker !== undefined) return this.rowsAt(maker, name);
    // The data recognizes only OpenAI's chat models by their names, not those such as `text-embedding-3-small`.
    return this.byId.get('openai')?.models().exact.get(name)?.rows ?? [];
  }
}

const originOf = (
  provider: Provider | null,
  foundBy: FoundPrice['foundBy'],
  region: string | null = null,
): SearchOrigin => ({ provider, foundBy, region, found: new LruCache(CACHED_MODELS_MAX) });

let published: PriceList | undefined;

/** Finds a published price, as `PriceList.findPrice`. */
export function findPrice(query: ListedPriceQuery): FoundPrice | null {
  published ??= new PriceList();
  return published.findPrice(query);
}

/** The version and date of the published prices. */
export const priceListVersion = (): Pick<Snapshot, 'version' | 'date'> => snapshot();

export const publishedProviders = (): readonly ListedProvider[] => snapshot().providers;

const identityOf = ({ provider, model }: PriceRow): string => `list ${priceListVersion().version} ${provider}/${model}`;

interface Snapshot {
  readonly version: string;
  readonly date: string;
  readonly providers: readonly ListedProvider[];
}

let parsed: Snapshot | undefined;

/** Parsed once, because that takes a few milliseconds. */
const snapshot = (): Snapshot => (parsed ??= JSON.parse(PRICE_LIST_JSON) as Snapshot);

function providerOf(listed: ListedProvider): Provider {
  const { id, url, makes, named, fallbacks = [] } = listed;
  let models: Models | undefined;
  return {
    id,
    url: compilePattern(`^(?:${url})`),
    makes: makes === undefined ? null : compileClause(makes),
    named: named === undefined ? null : compileClause(named),
    fallbacks,
    models: () => (models ??= modelsOf(withExtraPrices(listed, EXTRA_PRICES))),
  };
}

function modelsOf({ id, models }: ListedProvider): Models {
  const exact = new Map<string, Model>();
  const inOrder = models.map((listed) => {
    const model: Model = { matches: compileClause(listed.match), rows: rowsOf(id, listed) };
    for (const name of exactNames(listed.match)) if (!exact.has(name)) exact.set(name, model);
    return model;
  });
  return { exact, inOrder };
}

const COMPACT_DATE = /-(20\d\d)(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])(?=[-:]|$)/g;

/** Google's model IDs have a collection or publisher in front: `models/…`, `publishers/google/models/…`, `google/…`. */
function nameForms(providerId: string, name: string): string[] {
  const short = providerId === 'google' ? name.slice(name.lastIndexOf('/') + 1) : name;
  return [...new Set([name, short].flatMap((form) => [form, form.replace(COMPACT_DATE, '-$1-$2-$3')]))];
}
