import { Injectable } from '@nestjs/common';
import { Config } from '../../platform/config/config.js';
import { FROM_CATALOG, type Api, type FallbackReason } from '../../platform/config/upstreams/upstreams-file.js';
import { notFound } from '../../platform/errors/error-factories.js';
import { ModelCatalog } from '../../model-policy/catalog.service.js';
import { parseCatalog } from '../../model-policy/parse-catalog.js';
import { UpstreamClient } from '../upstream-client.js';
import type { ConfiguredUpstream } from '../upstream-list.js';
import { IncidentStore, type IncidentStatus, type ReportedIncident } from './stores/incident.store.js';
import { UpstreamDrains } from './upstream-drains.service.js';
import type { PressureStatus } from '../upstream-pressure.js';
import type { LastError, Upstream } from '../upstream.js';
import { errorReason } from '../../platform/errors/gateway-error.js';

const TEST_TIMEOUT_MS = 10_000;
const TEST_BYTES_MAX = 16 * 1024 * 1024;

/** An upstream as operators see it. Figures are those of this process. */
export interface UpstreamState {
  readonly name: string;
  readonly baseUrl: string;
  readonly apis: readonly Api[];
  readonly region: string | null;
  readonly tags: readonly string[];
  readonly status: 'draining' | 'unreachable' | PressureStatus;
  readonly drainingSince: Date | null;
  /** Null until its model list has been read. */
  readonly models: number | null;
  readonly aliases: Readonly<Record<string, string>>;
  readonly connections: number;
  readonly running: number;
  readonly waiting: number;
  /** The share of its requests that it gets, from 0 to 1. Rate limits and failures reduce it. */
  readonly share: number;
  /** The recent average time to the response headers. Null before the first response. */
  readonly latencyMs: number | null;
  readonly attempts: number;
  readonly failovers: number;
  /** Requests that it got as an upstream of a fallback model, by the reason. */
  readonly fallbacks: Readonly<Record<FallbackReason, number>>;
  /** Null if the upstream has served all requests since the process started. */
  readonly lastError: LastError | null;
}

/** The result of reading an upstream's model list once. `ok` is false if requests of clients are refused or fail. */
export interface UpstreamTest {
  readonly ok: boolean;
  readonly status: number | null;
  readonly latencyMs: number;
  readonly models: number | null;
  /** A sentence for the operator, without credentials. */
  readonly message: string;
}

/** The state of each upstream of `GW_UPSTREAMS`, for the Admin API and the command line. */
@Injectable()
export class UpstreamStates {
  constructor(
    private readonly client: UpstreamClient,
    private readonly catalog: ModelCatalog,
    private readonly drains: UpstreamDrains,
    private readonly openIncidents: IncidentStore,
    private readonly config: Config,
  ) {}

  /** Empty without `GW_UPSTREAMS`. */
  all(): UpstreamState[] {
    return this.client.named.map((each) => this.stateOf(each));
  }

  /** @throws GatewayError `not_found` */
  find(name: string): ConfiguredUpstream {
    const found = this.client.named.find(({ spec }) => spec.name === name);
    if (found === undefined) throw notFound('Upstream not found');
    return found;
  }

  /** @param configured an upstream of `GW_UPSTREAMS` */
  stateOf(configured: ConfiguredUpstream): UpstreamState {
    const { upstream, spec } = configured;
    const { permits, pool, pressure, history } = upstream;
    const drain = this.drains.of(spec.name);
    const running = (spec.connections ?? this.config.upstreamConnections) - permits.free;
    return {
      name: spec.name,
      baseUrl: spec.baseUrl.href,
      apis: spec.apis,
      region: spec.region,
      tags: spec.tags,
      status: this.statusOf(configured),
      drainingSince: drain?.createdAt ?? null,
      models: this.catalog.hasList(spec.name) ? (this.catalog.modelsOf(spec.name)?.size ?? null) : null,
      aliases: Object.fromEntries(spec.aliases),
      connections: pool.connected,
      running,
      waiting: permits.waiting,
      share: pressure.lowestShare,
      latencyMs: roundedOrNull(history.latencies.overallMs),
      attempts: history.attempts,
      failovers: history.failovers,
      fallbacks: { ...history.fallbacks },
      lastError: history.lastError,
    };
  }

  /** The upstreams that refuse or fail requests in this process, even while they drain. */
  incidents(): ReportedIncident[] {
    return this.client.named.flatMap(({ upstream, spec: { name } }) => {
      const health = healthOf(upstream);
      if (health === 'ready' || health === 'limited') return [];
      const lastError = hasTrouble(upstream) ? upstream.history.lastError : null;
      return [
        {
          upstream: name,
          status: health === 'refused' ? 'refused' : 'failing',
          lastError: lastError === null ? null : { ...lastError, at: lastError.at.toISOString() },
        },
      ];
    });
  }

  /**
   * Reads the upstream's model list with its credential. It costs no tokens. The result also says if requests of clients are refused or
   * fail, in any process.
   * @throws GatewayError `not_found`
   */
  async test(name: string): Promise<UpstreamTest> {
    const { upstream, spec } = this.find(name);
    const startedAtMs = performance.now();
    const result = (outcome: Pick<UpstreamTest, 'ok'> & Partial<UpstreamTest>, message: string): UpstreamTest => {
      const latencyMs = Math.round(performance.now() - startedAtMs);
      return { status: null, models: null, ...outcome, latencyMs, message };
    };
    try {
      const { status, body } = await this.client.fetchSmall({
        method: 'GET',
        path: '/models',
        upstream,
        bytesMax: TEST_BYTES_MAX,
        timeoutMs: TEST_TIMEOUT_MS,
      });
      const needsList = spec.models === FROM_CATALOG;
      if (status === 200 || status === 401) upstream.accountRefused = status === 401;
      if (status === 200) upstream.pressure.onAccountAccepted();
      const isListed = status === 200 || (status === 404 && !needsList);
      if (!isListed) return result({ ok: false, status }, advice(status));
      const models = status === 200 ? modelsIn(body) : null;
      const trouble = await this.troubleOf(upstream);
      return result({ ok: trouble === null, status, models }, `${listing(status)}${trouble ?? '.'}`);
    } catch (error) {
      return result({ ok: false }, errorReason(error));
    }
  }

  private statusOf({ upstream, spec }: ConfiguredUpstream): UpstreamState['status'] {
    return this.drains.of(spec.name) === undefined ? healthOf(upstream) : 'draining';
  }

  /** The end of a sentence about requests of clients that fail, although the model list can be read. Null if they are served. */
  private async troubleOf(upstream: Upstream): Promise<string | null> {
    const { history, pressure } = upstream;
    if (hasTrouble(upstream))
      return troubleText(
        pressure.status === 'refused' ? 'refused' : 'failing',
        null,
        history.lastError?.message ?? null,
      );
    // Other processes see other requests. A command has seen none.
    const open = await this.openIncidents.of(upstream.name).catch(() => null);
    return open === null ? null : troubleText(open.status, open.beganAt, open.message);
  }
}

const roundedOrNull = (ms: number | null): number | null => (ms === null ? null : Math.round(ms));

function healthOf({ breaker, isRefused, pressure }: Upstream): 'unreachable' | PressureStatus {
  if (breaker.open) return 'unreachable';
  return isRefused ? 'refused' : pressure.status;
}

/** Requests of clients have shown it. Otherwise, the last error is older. */
const hasTrouble = ({ pressure: { status } }: Upstream): boolean => status === 'refused' || status === 'failing';

function troubleText(status: IncidentStatus, since: Date | null, message: string | null): string {
  const what = status === 'refused' ? 'it refuses requests of clients' : 'requests of clients fail';
  const begun = since === null ? '' : ` since ${since.toISOString()}`;
  return `, but ${what}${begun}.${message === null ? '' : ` Last error: ${message}`}`;
}

const listing = (status: number): string =>
  status === 200
    ? 'The upstream returned its model list'
    : 'The provider has no model list (404), and the models in the file are used';

function advice(status: number): string {
  if (status === 401 || status === 403) return `The provider rejects the credential (${status}).`;
  return `The provider responds to GET /models with ${status}. Check base_url and the credential.`;
}

function modelsIn(body: Buffer): number | null {
  try {
    return parseCatalog(body).models.length;
  } catch {
    return null;
  }
}
