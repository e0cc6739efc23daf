import { EXTRA_PRICES } from './extra-prices.data.js';
import { compileClause, compilePattern, exactNames, type NameTest } from './match-clause.rules.js';
import { PRICE_LIST_JSON } from './price-list.data.js';
import { rowsOf, withExtraPrices, type ListedProvider } from './price-list-rows.js';
import { appliesAt, type PriceRow } from './price-row.js';
import { MAKER_ALIASES, PROVIDER_HOSTS } from './provider-hosts.data.js';
import { LruCache } from '../../platform/fairness/lru-cache.js';

export interface ListedPriceQuery {
  /** A slug of the price list (`openai`, `openrouter`), if the operator has named one. It wins over the base URL. */
  readonly provider?: string;
  readonly baseUrl?: URL;
  readonly model: string;
  readonly atMs: number;
}

interface ListedPrice {
  readonly row: PriceRow;
  /** Such as `list 0.1.8 openai/gpt-4o`. */
  readonly identity: string;
}

export interface FoundPrice extends ListedPrice {
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
  /** The results of earlier searches by model. */
  readonly found: FoundPrices;
}

type FoundPrices = LruCache<string, readonly ListedPrice[]>;

interface Models {
  readonly exact: ReadonlyMap<string, Model>;
  readonly inOrder: readonly Model[];
}

interface Model {
  readonly matches: NameTest;
  readonly rows: readonly PriceRow[];
}

/** Where a query looks for models. */
interface Place extends Pick<FoundPrice, 'foundBy' | 'region'> {
  /** Null for the makers of all models. */
  readonly provider: Provider | null;
}

const MAKERS: Place = { provider: null, foundBy: 'maker', region: null };

/** Longer names are not in the list. The limit also bounds the time of regular expressions. */
const NAME_LENGTH_MAX = 256;
const URL_LENGTH_MAX = 2048;
const CACHED_MODELS_MAX = 1000;
const CACHED_NAMES_MAX = 100;

/** Finds published prices. Results are cached by provider and model. */
export class PriceList {
  private readonly providers: readonly Provider[];
  private readonly byId: ReadonlyMap<string, Provider>;
  private readonly foundByMaker: FoundPrices = new LruCache(CACHED_MODELS_MAX);
  private readonly placesByUrl = new WeakMap<URL, Place>();
  private readonly placesByName = new LruCache<string, Place>(CACHED_NAMES_MAX);

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
    const place = this.placeOf(provider, baseUrl);
    // The last row that applies wins.
    const price = this.pricesAt(place.provider, model).findLast(({ row }) => appliesAt(row, atMs));
    if (price === undefined) return null;
    return { row: price.row, identity: price.identity, foundBy: place.foundBy, region: place.region };
  }

  private placeOf(provider: string | undefined, baseUrl: URL | undefined): Place {
    const named = provider === undefined ? undefined : this.placeOfName(provider);
    if (named !== undefined) return named;
    return baseUrl === undefined ? MAKERS : this.placeOfUrl(baseUrl);
  }

  private placeOfName(name: string): Place | undefined {
    const known = this.placesByName.get(name);
    if (known !== undefined) return known;
    const lower = name.toLowerCase().trim().slice(0, NAME_LENGTH_MAX);
    const provider = this.byId.get(lower) ?? this.providers.find(({ named }) => named?.(lower) === true);
    if (provider === undefined) return undefined;
    const place: Place = { provider, foundBy: 'provider', region: null };
    this.placesByName.set(name, place);
    return place;
  }

  private placeOfUrl(baseUrl: URL): Place {
    let place = this.placesByUrl.get(baseUrl);
    if (place === undefined) {
      place = this.searchUrl(baseUrl);
      this.placesByUrl.set(baseUrl, place);
    }
    return place;
  }

  private searchUrl({ host, hostname, pathname }: URL): Place {
    const special = PROVIDER_HOSTS.find((row) => row.host.test(hostname));
    if (special !== undefined)
      return { provider: this.byId.get(special.provider) ?? null, foundBy: 'host', region: special.region };
    // The list names HTTPS addresses. A proxy in front of a provider can be reached with HTTP under the provider's name.
    const address = `https://${host}${pathname}`.slice(0, URL_LENGTH_MAX);
    const provider = this.providers.find(({ url }) => url.test(address));
    return provider === undefined ? MAKERS : { provider, foundBy: 'host', region: null };
  }

  private pricesAt(provider: Provider | null, model: string): readonly ListedPrice[] {
    const found = provider === null ? this.foundByMaker : provider.found;
    let prices = found.get(model);
    if (prices === undefined) {
      prices = this.searchModel(provider, model);
      found.set(model, prices);
    }
    return prices;
  }

  private searchModel(provider: Provider | null, model: string): readonly ListedPrice[] {
    const name = model.toLowerCase().trim();
    if (name.length > NAME_LENGTH_MAX) return [];
    // The factors of the provider that bills apply, although the price can be that of the maker.
    const rows =
      provider === null
        ? this.rowsOfMaker(name)
        : this.rowsAt(provider, name).map((row) => ({ ...row, provider: provider.id }));
    return rows.map((row) => ({ row, identity: identityOf(row) }));
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
    found: new LruCache(CACHED_MODELS_MAX),
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
