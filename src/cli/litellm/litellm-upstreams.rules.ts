import type { Findings } from './finding.js';
import { fieldsOf, numberOf, textOf, type Fields } from './fields.rules.js';
import { shareOf, type Deployment, type LitellmConfig } from './litellm-config.rules.js';
import { PROVIDERS, UNSUPPORTED_PROVIDERS, type Provider } from './litellm-providers.data.js';

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** An entry of the upstreams file (docs/upstreams.md). */
interface Upstream {
  readonly name: string;
  readonly base_url: string;
  readonly apis?: readonly string[];
  readonly credential?: { readonly env: string; readonly header?: string };
  readonly headers?: Readonly<Record<string, string>>;
  readonly models: string[] | 'catalog';
  readonly aliases?: Record<string, string>;
}

interface Route {
  readonly models: string;
  readonly upstreams: readonly (string | { readonly name: string; readonly weight: number })[];
  readonly strategy?: 'latency' | 'price';
  readonly fallbacks?: { readonly context_length?: string; readonly content_filter?: string };
}

export interface UpstreamsFile {
  readonly upstreams: readonly Upstream[];
  readonly routes?: readonly Route[];
}

export interface ImportedUpstreams {
  readonly file: UpstreamsFile;
  /** The model IDs that requests for a name can be sent with, by name. Allowed models of keys are these IDs. */
  readonly idsOf: ReadonlyMap<string, readonly string[]>;
  /** Names by access group. */
  readonly accessGroups: ReadonlyMap<string, readonly string[]>;
}

const UPSTREAMS_MAX = 64;
const ROUTES_MAX = 256;
const WEIGHT_MAX = 1000;
const RESERVED: readonly string[] = ['default', 'messages'];
const STRATEGIES: Readonly<Record<string, Route['strategy']>> = {
  'latency-based-routing': 'latency',
  'cost-based-routing': 'price',
};
const LIKE_SHUFFLE: readonly string[] = ['simple-shuffle', 'weighted-pick'];

interface Placed {
  readonly deployment: Deployment;
  readonly upstream: Upstream;
  readonly id: string;
}

/**
 * Converts deployments to upstreams. Deployments of one provider account become one upstream, unless two of them have the same name
 * or depend on each other's names.
 * @param env resolves base URLs that are variables. Secrets are never read.
 */
export function upstreamsOf(config: LitellmConfig, env: NodeJS.ProcessEnv, findings: Findings): ImportedUpstreams {
  const builder = new UpstreamsBuilder(config, env, findings);
  const placed = config.deployments.flatMap((deployment) => builder.place(deployment));
  const aliases = [...config.groupAliases].flatMap(([alias, group]) => builder.alias(alias, group, placed));
  const all = [...placed, ...aliases];
  const groups = Map.groupBy(all, ({ deployment: { group } }) => group);
  const routes = [...groups].flatMap(([group, of]) => routeOf(group, of, config, findings));
  if (builder.upstreams.length > UPSTREAMS_MAX)
    findings.action(
      'model_list',
      `It needs ${builder.upstreams.length} upstreams, and the file can have ${UPSTREAMS_MAX}. Remove some.`,
    );
  if (routes.length > ROUTES_MAX)
    findings.action(
      'model_list',
      `It needs ${routes.length} routes, and the file can have ${ROUTES_MAX}. Combine them with patterns.`,
    );
  const accessGroups = new Map<string, string[]>();
  for (const { group, accessGroups: names } of config.deployments)
    for (const name of names) accessGroups.set(name, [...new Set([...(accessGroups.get(name) ?? []), group])]);
  return {
    file: { upstreams: builder.upstreams, ...(routes.length > 0 && { routes }) },
    idsOf: new Map([...groups].map(([group, of]) => [group, [...new Set(of.map(({ id }) => id))]])),
    accessGroups,
  };
}

interface Account {
  readonly provider: string;
  readonly baseUrl: string;
  readonly apis: readonly string[] | undefined;
  readonly credential: Upstream['credential'];
  readonly headers: Readonly<Record<string, string>>;
}

class UpstreamsBuilder {
  readonly upstreams: Upstream[] = [];
  private readonly byAccount = new Map<string, Upstream[]>();

  constructor(
    private readonly config: LitellmConfig,
    private readonly env: NodeJS.ProcessEnv,
    private readonly findings: Findings,
  ) {}

  place(deployment: Deployment): Placed[] {
    const { place, group } = deployment;
    const { provider, id } = splitModel(deployment);
    const account = this.accountOf(deployment, provider);
    if (account === null) return [];
    const instances = this.byAccount.get(JSON.stringify(account)) ?? [];
    this.byAccount.set(JSON.stringify(account), instances);
    if (id === '*' || group.includes('*')) return this.placeCatalog(deployment, account, instances);
    let upstream = instances.find((one) => accepts(one, group, id));
    if (upstream === undefined) {
      upstream = this.add(account);
      instances.push(upstream);
    }
    if (upstream.models !== 'catalog' && group === id) upstream.models.push(id);
    if (group !== id) addAlias(upstream, group, id);
    if (provider === 'anthropic')
      this.findings.changed(
        place,
        'The gateway does not translate. Use the Messages API for all features of Claude models.',
      );
    return [{ deployment, upstream, id }];
  }

  /** Gives a group another name, at each of its upstreams. */
  alias(alias: string, group: string, placed: readonly Placed[]): Placed[] {
    const place = `model_group_alias "${alias}"`;
    const of = placed.filter(({ deployment }) => deployment.group === group);
    if (of.length === 0) this.findings.skipped(place, `No imported model has the name "${group}".`);
    return of.flatMap(({ deployment, upstream, id }) => {
      if (!accepts(upstream, alias, id)) {
        this.findings.skipped(place, `The upstream ${upstream.name} already has a model with this name.`);
        return [];
      }
      if (alias !== id) addAlias(upstream, alias, id);
      return [{ deployment: { ...deployment, group: alias }, upstream, id }];
    });
  }

  /** A pattern stands for all models of the account, which the gateway reads from the provider. */
  private placeCatalog({ place, group }: Deployment, account: Account, instances: Upstream[]): Placed[] {
    const upstream = instances[0] ?? this.add(account);
    if (instances.length === 0) instances.push(upstream);
    (upstream as Mutable<Upstream>).models = 'catalog';
    if (group !== '*')
      this.findings.changed(
        place,
        `Clients must send model IDs without the prefix of "${group}", as the provider lists them.`,
      );
    return [];
  }

  private accountOf(deployment: Deployment, name: string): Account | null {
    const { place, params: own } = deployment;
    const credentialName = textOf(own['litellm_credential_name']);
    const shared = credentialName === null ? {} : this.config.credentials.get(credentialName);
    if (shared === undefined) {
      this.findings.skipped(place, `credential_list has no "${credentialName}".`);
      return null;
    }
    const params: Fields = { ...shared, ...own };
    const provider = this.providerOf(place, name, params);
    if (provider === null) return null;
    const baseUrl = this.baseUrlOf(place, provider, params);
    if (baseUrl === null) return null;
    const organization = textOf(params['organization']);
    return {
      provider: name,
      baseUrl,
      apis: provider.apis,
      credential: this.credentialOf(deployment, name, provider, params),
      headers: {
        ...(organization !== null && { 'OpenAI-Organization': organization }),
        ...this.headersOf(place, { ...fieldsOf(params['headers']), ...fieldsOf(params['extra_headers']) }),
      },
    };
  }

  private providerOf(place: string, name: string, params: Fields): Provider | null {
    const unsupported = UNSUPPORTED_PROVIDERS[name];
    if (unsupported !== undefined) {
      this.findings.skipped(place, unsupported);
      return null;
    }
    const provider = PROVIDERS[name];
    if (provider !== undefined) return provider;
    if (params['api_base'] === undefined && params['base_url'] === undefined) {
      this.findings.skipped(
        place,
        `The import does not know the provider "${name}". Add an upstream with its base URL.`,
      );
      return null;
    }
    this.findings.action(place, `The import does not know the provider "${name}". Check that its API is OpenAI's.`);
    return { baseUrl: null, env: null };
  }

  private baseUrlOf(place: string, { baseUrl, path = '' }: Provider, params: Fields): string | null {
    const given = textOf(params['api_base']) ?? textOf(params['base_url']);
    const variable = given === null ? null : variableOf(given);
    const resolved = variable === null ? given : (this.env[variable] ?? null);
    if (variable !== null && resolved === null) {
      this.findings.skipped(
        place,
        `Its base URL is in ${variable}, which is not set. Set it, and run the import again.`,
      );
      return null;
    }
    if (resolved === null && baseUrl === null) this.findings.skipped(place, 'It has no api_base.');
    if (resolved === null) return baseUrl;
    if (!URL.canParse(resolved)) {
      this.findings.skipped(place, 'Its api_base is not a URL.');
      return null;
    }
    const url = new URL(resolved);
    if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '')
      this.findings.action(
        place,
        'The user, password, query and fragment of its base URL are removed. Add `headers` or `query`.',
      );
    const trimmed = `${url.origin}${url.pathname}`.replace(/\/+$/, '');
    return trimmed.endsWith(path) ? trimmed : `${trimmed}${path}`;
  }

  private credentialOf(
    deployment: Deployment,
    name: string,
    { env, header }: Provider,
    params: Fields,
  ): Upstream['credential'] {
    const { place } = deployment;
    const given = textOf(params['api_key']);
    let variable = given === null ? env : variableOf(given);
    if (given !== null && variable === null && given.length < SECRET_LENGTH_MIN) return undefined;
    if (given !== null && variable === null) {
      variable = `${name.toUpperCase().replace(/[^A-Z0-9]/g, '_')}_API_KEY_${this.literalKeys(given)}`;
      this.findings.action(
        `${place} api_key`,
        `The file contains the secret itself. Set it in the variable ${variable}.`,
      );
    }
    if (variable === null) return undefined;
    return header === undefined ? { env: variable } : { env: variable, header };
  }

  private readonly literals: string[] = [];

  /** Numbers distinct secrets, so that each gets one variable. */
  private literalKeys(secret: string): number {
    if (!this.literals.includes(secret)) this.literals.push(secret);
    return this.literals.indexOf(secret) + 1;
  }

  private headersOf(place: string, headers: Fields): Record<string, string> {
    return Object.fromEntries(
      Object.entries(headers).flatMap(([name, value]) => {
        const text = textOf(value);
        if (text !== null && variableOf(text) === null && !CREDENTIAL_HEADER.test(name)) return [[name, text]];
        this.findings.action(`${place} ${name}`, 'The header can be secret. Add it to `headers` with `env` or `file`.');
        return [];
      }),
    );
  }

  private add({ provider, baseUrl, apis, credential, headers }: Account): Upstream {
    const upstream: Upstream = {
      name: this.freeName(provider),
      base_url: baseUrl,
      ...(apis !== undefined && { apis }),
      ...(credential !== undefined && { credential }),
      ...(Object.keys(headers).length > 0 && { headers }),
      models: [],
    };
    this.upstreams.push(upstream);
    return upstream;
  }

  private freeName(provider: string): string {
    const base =
      provider
        .toLowerCase()
        .replace(/[^a-z0-9]+/g, '-')
        .replace(/^-+|-+$/g, '')
        .slice(0, 50) || 'upstream';
    const isTaken = (name: string) => RESERVED.includes(name) || this.upstreams.some((one) => one.name === name);
    for (let n = 1; ; n++) {
      const name = n === 1 ? base : `${base}-${n}`;
      if (!isTaken(name)) return name;
    }
  }
}

/** Shorter keys are placeholders such as `none`, for servers without authentication. */
const SECRET_LENGTH_MIN = 8;
const CREDENTIAL_HEADER = /authorization|key|token|secret|cookie/i;

/** LiteLLM reads `os.environ/NAME` from the environment. */
const variableOf = (text: string): string | null => /^os\.environ\/([A-Za-z_]\w{0,127})$/.exec(text)?.[1] ?? null;

/** LiteLLM recognizes some models without the prefix of their provider. */
function splitModel({ model, params }: Deployment): { provider: string; id: string } {
  const given = textOf(params['custom_llm_provider']);
  const slash = model.indexOf('/');
  const prefix = slash === -1 ? '' : model.slice(0, slash);
  const isProvider = prefix in PROVIDERS || prefix in UNSUPPORTED_PROVIDERS;
  if (given !== null) return { provider: given, id: prefix === given ? model.slice(slash + 1) : model };
  if (isProvider || prefix !== '') return { provider: prefix, id: model.slice(slash + 1) };
  return { provider: model.startsWith('claude') ? 'anthropic' : 'openai', id: model };
}

/** Whether an upstream can serve `id` under the name `group`. An alias cannot stand for a second model or for another alias. */
function accepts({ models, aliases = {} }: Upstream, group: string, id: string): boolean {
  if (models === 'catalog') return group !== id && !(group in aliases) && !(id in aliases);
  if (group === id) return !(id in aliases) && !models.includes(id);
  return !(group in aliases) && !(id in aliases) && !models.includes(group) && !Object.values(aliases).includes(group);
}

function addAlias(upstream: Upstream, alias: string, id: string): void {
  const mutable = upstream as Mutable<Upstream>;
  mutable.aliases ??= {};
  mutable.aliases[alias] = id;
}

function routeOf(group: string, placed: readonly Placed[], config: LitellmConfig, findings: Findings): Route[] {
  const fallbacks = {
    ...optional('context_length', config.contextFallbacks.get(group)),
    ...optional('content_filter', config.contentFallbacks.get(group)),
  };
  const hasFallbacks = Object.keys(fallbacks).length > 0;
  if (placed.length < 2 && !hasFallbacks) return [];
  const strategy = STRATEGIES[config.strategy];
  const upstreams =
    placed.length < 2 || strategy !== undefined ? placed.map(({ upstream }) => upstream.name) : shares(placed);
  if (placed.length > 1 && strategy === undefined && !LIKE_SHUFFLE.includes(config.strategy))
    findings.changed(`route "${group}"`, `The strategy ${config.strategy} is replaced by weights.`);
  return [
    {
      models: group,
      upstreams,
      ...(placed.length > 1 && strategy !== undefined && { strategy }),
      ...(hasFallbacks && { fallbacks }),
    },
  ];
}

const optional = (name: string, value: string | undefined) => (value === undefined ? {} : { [name]: value });

/** The order of the deployments if they have one, otherwise their shares as weights from 1 to 1000. */
function shares(placed: readonly Placed[]): Route['upstreams'] {
  const orders = placed.map(({ deployment: { params } }) => numberOf(params['order']));
  if (orders.every((order) => order !== null))
    return placed
      .map(({ upstream }, i) => ({ name: upstream.name, order: orders[i]! }))
      .sort((a, b) => a.order - b.order)
      .map(({ name }) => name);
  const given = placed.map(({ deployment }) => shareOf(deployment));
  const known = given.filter((share) => share !== null && share > 0) as number[];
  const largest = Math.max(1, ...known);
  const scale = largest > WEIGHT_MAX || known.some((share) => !Number.isInteger(share)) ? WEIGHT_MAX / largest : 1;
  return placed.map(({ upstream }, i) => ({
    name: upstream.name,
    weight: Math.max(1, Math.round((given[i] ?? 1) * scale)),
  }));
}
