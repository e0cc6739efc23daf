import { Injectable } from '@nestjs/common';
import { Config } from '../../config/config.js';
import type { RequestContext } from '../../request-context/request-context.js';
import type { RouteSpec } from '../../routes/route-spec.js';
import { METRICS } from './metrics.data.js';
import { Metrics, type Series } from './metrics.js';
import { Tally } from './tally.js';

/** Stands in for the status if the client disconnected before the response ended. */
export const ABORTED = 0;
const NO_ROUTE = 'unmatched';

/** `routeOptions` is read only if needed, because Fastify builds it again on each access. */
interface RoutedRequest {
  readonly ctx: RequestContext;
  readonly routeOptions: { readonly url?: string | undefined };
}

class RouteTally {
  readonly duration = new Tally(METRICS.gateway_request_duration_seconds.bounds);
  readonly overhead = new Tally(METRICS.gateway_overhead_seconds.bounds);
  readonly firstByte = new Tally(METRICS.gateway_time_to_first_byte_seconds.bounds);
  readonly responses = new Map<string, Map<number, number>>();

  constructor(readonly route: string) {}

  count(model: string, status: number): void {
    let byStatus = this.responses.get(model);
    if (byStatus === undefined) this.responses.set(model, (byStatus = new Map<number, number>()));
    byStatus.set(status, (byStatus.get(status) ?? 0) + 1);
  }
}

/**
 * Counts requests with a few lookups and additions, and allocates nothing per request. The number of label values is bounded: route
 * templates, statuses and `ModelLabels`. If metrics are off, only requests in flight are counted.
 */
@Injectable()
export class RequestMetrics {
  private inFlight = 0;
  private readonly on: boolean;
  private readonly models = new ModelLabels();
  private readonly bySpec = new Map<RouteSpec | null, RouteTally>();
  // By path, because several methods of one path are one route.
  private readonly byRoute = new Map<string, RouteTally>();

  constructor(config: Config, metrics: Metrics) {
    this.on = config.metricsOn;
    const tallies = (pick: (tally: RouteTally) => Tally) => () =>
      [...this.byRoute.values()].map((tally) => ({ labels: { route: tally.route }, value: pick(tally) }));
    metrics.read('gateway_requests_total', () => this.responses());
    metrics.read('gateway_requests_in_flight', () => this.inFlight);
    metrics.readTallies(
      'gateway_request_duration_seconds',
      tallies(({ duration }) => duration),
    );
    metrics.readTallies(
      'gateway_overhead_seconds',
      tallies(({ overhead }) => overhead),
    );
    metrics.readTallies(
      'gateway_time_to_first_byte_seconds',
      tallies(({ firstByte }) => firstByte),
    );
  }

  begun(): void {
    this.inFlight += 1;
  }

  /**
   * Called once for each `begun`.
   * @param status HTTP status, or `ABORTED`
   * @param isKnownModel only existing models get their own label
   */
  ended(request: RoutedRequest, status: number, endedAtMs: number, isKnownModel: (model: string) => boolean): void {
    this.inFlight -= 1;
    if (!this.on) return;
    const { ctx } = request;
    const tally = this.bySpec.get(ctx.route) ?? this.tallyFor(ctx.route, request);
    tally.count(this.models.labelOf(ctx.model, isKnownModel), status);
    const { startedAtMs, response, trace } = ctx;
    const { headAtMs } = response;
    const traceId = trace !== null && trace.sampled ? trace.traceId : null;
    tally.duration.observe((endedAtMs - startedAtMs) / 1000, traceId);
    if (headAtMs === null) return;
    tally.overhead.observe(Math.max(0, headAtMs - startedAtMs - ctx.body.waitMs - ctx.upstream.waitMs) / 1000, traceId);
    // A buffered response is sent together with its headers.
    const firstByteAtMs = response.bodyFollows ? response.firstByteAtMs : headAtMs;
    if (firstByteAtMs !== null) tally.firstByte.observe((firstByteAtMs - startedAtMs) / 1000, traceId);
  }

  private tallyFor(spec: RouteSpec | null, request: RoutedRequest): RouteTally {
    const route = spec === null ? NO_ROUTE : spec.kind === 'gateway' ? spec.endpoint : templateOf(request);
    let tally = this.byRoute.get(route);
    if (tally === undefined) this.byRoute.set(route, (tally = new RouteTally(route)));
    this.bySpec.set(spec, tally);
    return tally;
  }

  private responses(): Series[] {
    return [...this.byRoute.values()].flatMap(({ route, responses }) =>
      [...responses].flatMap(([model, byStatus]) =>
        [...byStatus].map(([status, value]) => {
          return { labels: { route, status: status === ABORTED ? 'aborted' : String(status), model }, value };
        }),
      ),
    );
  }
}

/** `/admin/api-keys/:id` becomes `/admin/api-keys/{id}`, the form of the /v1 routes. */
const templateOf = ({ routeOptions }: RoutedRequest): string =>
  (routeOptions.url ?? NO_ROUTE).replace(/:(\w+)/g, '{$1}');

/** Bounds the label values of each process, because a client could request every model of a large catalog. */
export const MODEL_LABELS_MAX = 200;
const OTHER_MODEL = 'other';
const NO_MODEL = 'none';

export class ModelLabels {
  private readonly labeled = new Set<string>();

  /** @param isKnown called only for a model without a label, and only while labels are left */
  labelOf(model: string | null, isKnown: (model: string) => boolean): string {
    if (model === null) return NO_MODEL;
    if (this.labeled.has(model)) return model;
    if (this.labeled.size >= MODEL_LABELS_MAX || !isKnown(model)) return OTHER_MODEL;
    this.labeled.add(model);
    return model;
  }
}
