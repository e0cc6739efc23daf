import { AuditLog } from '../../src/audit/audit-log.js';
import { NOTHING_LOST } from '../support/nothing-lost.js';
import { Changes, type ChangeListener, type ChangeTopic } from '../../src/platform/changes/changes.js';
import type { CachedRows } from '../../src/platform/changes/change-polls.js';
import { Config } from '../../src/platform/config/config.js';
import { Transactions } from '../../src/platform/database/transactions.js';
import { ModelCatalog } from '../../src/model-policy/catalog.service.js';
import { ModelGate } from '../../src/model-policy/model-gate.service.js';
import { ModelList } from '../../src/model-policy/model-list.service.js';
import { UpstreamCandidates } from '../../src/model-policy/upstream-candidates.service.js';
import { ModelStates } from '../../src/model-policy/model-states.service.js';
import type { CatalogModel } from '../../src/model-policy/parse-catalog.js';
import { PolicyService } from '../../src/model-policy/policy.service.js';
import { ProbeVerdicts } from '../../src/model-policy/probe-verdicts.service.js';
import { ModelRegistry } from '../../src/model-policy/registry/model-registry.js';
import { parseRegistryFile } from '../../src/model-policy/registry/registry-file.js';
import { CatalogStore, type StoredCopy } from '../../src/model-policy/stores/catalog.store.js';
import { PolicyStore, type CurrentPolicy } from '../../src/model-policy/stores/policy.store.js';
import { ProbeStore, type StoredVerdict } from '../../src/model-policy/stores/probe.store.js';
import type { KeySnapshot } from '../../src/platform/request-context/key-snapshot.js';
import { RequestContext } from '../../src/platform/request-context/request-context.js';
import type { GatewayRouteSpec } from '../../src/platform/routes/route-spec.js';
import type { BufferedResponse } from '../../src/upstream/buffered-response.js';
import { UpstreamClient, type SmallRequest } from '../../src/upstream/upstream-client.js';

export const CONFIG = Config.from({}).with({ upstreamBaseUrl: 'http://127.0.0.1:1/v1' });
/** The same with `GW_PROFILE=current`. */
export const CURRENT = Config.from({ GW_PROFILE: 'current' }).with({ upstreamBaseUrl: 'http://127.0.0.1:1/v1' });

export const listed = (id: string, owned_by = 'system'): CatalogModel => ({
  id,
  object: 'model',
  created: 1,
  owned_by,
});

/** Sends the responses that the test scripts, and counts the requests. */
class FakeUpstream extends UpstreamClient {
  requestCount = 0;
  respond: (request: SmallRequest) => Promise<BufferedResponse> = () => Promise.reject(new Error('refused'));

  constructor() {
    super(CONFIG);
  }

  override fetchSmall(request: SmallRequest): Promise<BufferedResponse> {
    this.requestCount += 1;
    return this.respond(request);
  }

  lists(...models: (string | object)[]): void {
    const data = models.map((model) => (typeof model === 'string' ? listed(model) : model));
    this.responds(JSON.stringify({ object: 'list', data }));
  }

  responds(body: string, status = 200): void {
    this.respond = () => Promise.resolve({ status, headers: {}, body: Buffer.from(body) });
  }

  fails(): void {
    this.respond = () => Promise.reject(new Error('refused'));
  }
}

/** Keeps the row in memory. A counter stands in for its time. */
class FakeCatalogStore extends CatalogStore {
  row: StoredCopy | null = null;
  unavailable = false;
  private moment = 0;

  constructor() {
    super(undefined as never);
  }

  override newer(_upstream: string, than: string | null): Promise<StoredCopy | null> {
    if (this.unavailable) return Promise.reject(new Error('unavailable'));
    return Promise.resolve(this.row !== null && this.row.fetchedAt !== than ? this.row : null);
  }

  override save(_upstream: string, models: readonly CatalogModel[]): Promise<string | null> {
    if (this.unavailable) return Promise.reject(new Error('unavailable'));
    this.moment += 1;
    this.row = { models, fetchedAt: String(this.moment), ageMs: 0 };
    return Promise.resolve(this.row.fetchedAt);
  }

  /** Replaces the row, as another process would. */
  holds(...ids: string[]): void {
    this.row = { models: ids.map((id) => listed(id)), fetchedAt: `other ${(this.moment += 1)}`, ageMs: 0 };
  }
}

class FakePolicyStore extends PolicyStore {
  rows = new Map<string, boolean>();
  unavailable = false;

  constructor() {
    super(undefined as never);
  }

  override all(): Promise<CachedRows<CurrentPolicy>> {
    if (this.unavailable) return Promise.reject(new Error('unavailable'));
    const rows = new Map(Array.from(this.rows, ([model, enabled]) => [model, { enabled, updatedAt: new Date() }]));
    return Promise.resolve({ fingerprint: '', rows });
  }
}

class FakeProbeStore extends ProbeStore {
  verdicts = new Map<string, StoredVerdict>();

  constructor() {
    super(undefined as never);
  }

  override all(): Promise<CachedRows<StoredVerdict>> {
    return Promise.resolve({ fingerprint: '', rows: new Map(this.verdicts) });
  }
}

class FakeChanges extends Changes {
  private readonly subscribed = new Map<ChangeTopic, ChangeListener[]>();

  constructor() {
    super({ query: () => Promise.resolve([]), onConnect: () => undefined } as never);
  }

  override subscribe(topic: ChangeTopic, listener: ChangeListener): void {
    this.subscribed.set(topic, [...(this.subscribed.get(topic) ?? []), listener]);
  }

  notify(topic: ChangeTopic): void {
    for (const listener of this.subscribed.get(topic) ?? []) listener(null);
  }
}

/** The services of the module without Nest. The test controls the upstream, the stores and the notifications. */
export class World {
  readonly upstream = new FakeUpstream();
  readonly catalogStore = new FakeCatalogStore();
  readonly policyStore = new FakePolicyStore();
  readonly probeStore = new FakeProbeStore();
  readonly changes = new FakeChanges();
  readonly catalog: ModelCatalog;
  readonly policy: PolicyService;
  readonly verdicts: ProbeVerdicts;
  readonly gate: ModelGate;
  readonly list: ModelList;
  readonly states: ModelStates;

  constructor({ registry = '{"models":[]}', config = CONFIG } = {}) {
    this.catalog = new ModelCatalog(config, this.upstream, this.catalogStore, this.changes);
    const transactions = new Transactions(undefined as never);
    this.policy = new PolicyService(this.policyStore, this.changes, transactions, new AuditLog(), NOTHING_LOST);
    this.verdicts = new ProbeVerdicts(this.probeStore, this.changes, transactions, new AuditLog());
    this.states = new ModelStates(
      new ModelRegistry(parseRegistryFile(registry)),
      this.catalog,
      this.policy,
      this.verdicts,
      config,
    );
    const serving = new UpstreamCandidates(this.upstream, this.catalog, config);
    this.gate = new ModelGate(this.states, serving, Config.from({}));
    this.list = new ModelList(this.catalog, this.states, serving);
  }

  start(): void {
    this.catalog.onApplicationBootstrap();
    this.policy.onApplicationBootstrap();
    this.verdicts.onApplicationBootstrap();
  }

  /** Starts a world in which the upstream lists `models` and the policy has these rows. */
  static async serving(
    models: readonly (string | object)[],
    {
      registry,
      policies = {},
      config,
    }: { registry?: string; policies?: Record<string, boolean>; config?: Config } = {},
  ): Promise<World> {
    const world = new World({ registry, config });
    world.upstream.lists(...models);
    world.policyStore.rows = new Map(Object.entries(policies));
    world.start();
    await world.gate.whenReady();
    return world;
  }

  stop(): void {
    this.catalog.onModuleDestroy();
    this.policy.onModuleDestroy();
    this.verdicts.onModuleDestroy();
  }
}

export function contextFor(
  endpoint: string,
  json: object,
  allowedModels: readonly string[] | null = null,
): RequestContext {
  const ctx = new RequestContext('id', 'POST');
  ctx.route = routeFor(endpoint);
  ctx.key = { allowedModels } as KeySnapshot;
  ctx.body.json = json as Record<string, unknown>;
  return ctx;
}

export const routeFor = (endpoint: string): GatewayRouteSpec => ({
  kind: 'gateway',
  endpoint,
  body: 'json',
  bodyBytesMax: 1,
  model: endpoint.endsWith('/runs') ? 'defaulted' : 'gated',
  quota: 'counted',
  usage: null,
  api: 'openai',
});
