import { Injectable } from '@nestjs/common';
import { Config } from '../../config/config.js';
import type { RequestContext } from '../../request-context/request-context.js';
import type { RouteSpec } from '../../routes/route-spec.js';
import { METRICS } from './metrics.data.js';
import { Metrics, type Series } from './metrics.js';
import { Tally } from './tally.js';

/** In place of a status: the client went before the answer had ended. */
export const ABORTED = 0;
const NO_ROUTE = 'unmatched';

/** What the request was, where it is asked for: Fastify makes its description anew for each look. */
interface Routed {
  readonly routeOptions: { readonly url?: string | undefined };
}

/** What one route has seen. */
class RouteTally {
  readonly duration = new Tally(METRICS.gateway_request_duration_seconds.bounds);
  readonly overhead = new Tally(METRICS.gateway_overhead_seconds.bounds);
  readonly firstByte = new Tally(METRICS.gateway_time_to_first_byte_seconds.bounds);
  /** Answers by the model's label and by status. */
  readonly answers = new Map<string, Map<number, number>>();

  constructor(readonly route: string) {}

  count(model: string, status: number): void {
    let byStatus = this.answers.get(model);
    if (byStatus === undefined) this.answers.set(model, (byStatus = new Map<number, number>()));
    byStatus.set(status, (byStatus.get(status) ?? 0) + 1);
  }
}

/**
 * What requests do to the metrics: two calls each, some look-ups and additions, nothing allocated and no label hashed. A
 * route is one of the table's templates, a status three digits, a model as `ModelLabels` bounds it. Idle without a port for
 * metrics.
 */
@Injectable()
export class RequestMetrics {
  private inFlight = 0;
  private readonly on: boolean;
  private readonly models = new ModelLabels();
  private readonly bySpec = new Map<RouteSpec | null, RouteTally>();
  // Several methods of one path are one route.
  private readonly byRoute = new Map<string, RouteTally>();

  constructor(config: Config, metrics: Metrics) {
    this.on = config.metricsPort !== null;
    const tallies = (pick: (tally: RouteTally) => Tally) => () =>
      [...this.byRoute.values()].map((tally) => ({ labels: { route: tally.route }, value: pick(tally) }));
    metrics.read('gateway_requests_total', () => this.answers());
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
   * Once for each `begun`, when the answer has ended, however it did.
   * @param status three digits, or `ABORTED`
   * @param endedAtMs by `performance.now()`
   * @param isKnownModel whether a model exists. Only those get a label of their own.
   */
  ended(
    ctx: RequestContext,
    status: number,
    endedAtMs: number,
    routed: Routed,
    isKnownModel: (model: string) => boolean,
  ): void {
    this.inFlight -= 1;
    if (!this.on) return;
    const tally = this.bySpec.get(ctx.route) ?? this.tallyFor(ctx.route, routed);
    tally.count(this.models.labelOf(ctx.model, isKnownModel), status);
    const { startedAtMs, response } = ctx;
    const { headAtMs } = response;
    tally.duration.observe((endedAtMs - startedAtMs) / 1000);
    if (headAtMs === null) return;
    tally.overhead.observe(Math.max(0, headAtMs - startedAtMs - ctx.body.waitMs - ctx.upstream.waitMs) / 1000);
    // Whole answers go out with their head.
    const firstByteAtMs = response.bodyFollows ? response.firstByteAtMs : headAtMs;
    if (firstByteAtMs !== null) tally.firstByte.observe((firstByteAtMs - startedAtMs) / 1000);
  }

  private tallyFor(spec: RouteSpec | null, routed: Routed): RouteTally {
    const route = spec === null ? NO_ROUTE : spec.kind === 'gateway' ? spec.endpoint : templateOf(routed);
    let tally = this.byRoute.get(route);
    if (tally === undefined) this.byRoute.set(route, (tally = new RouteTally(route)));
    this.bySpec.set(spec, tally);
    return tally;
  }

  private answers(): Series[] {
    return [...this.byRoute.values()].flatMap(({ route, answers }) =>
      [...answers].flatMap(([model, byStatus]) =>
        [...byStatus].map(([status, value]) => {
          return { labels: { route, status: status === ABORTED ? 'aborted' : String(status), model }, value };
        }),
      ),
    );
  }
}

/** `/admin/api-keys/:id` in the form of the other routes: `/admin/api-keys/{id}`. */
const templateOf = ({ routeOptions }: Routed): string => (routeOptions.url ?? NO_ROUTE).replace(/:(\w+)/g, '{$1}');

/** For the life of a process: a client with a key could name every model of a large catalog. */
export const MODEL_LABELS_MAX = 200;
/** A model beyond the bound, or one that nobody knows. */
const OTHER_MODEL = 'other';
const NO_MODEL = 'none';

/** Models as labels: names that the catalog knows, and no more than 200 of them, whatever clients ask for. */
export class ModelLabels {
  private readonly known = new Set<string>();

  /**
   * @param model as the client wrote it; null: it named none
   * @param isKnown whether the model exists. It is called only for names without a label, below the bound.
   */
  labelOf(model: string | null, isKnown: (model: string) => boolean): string {
    if (model === null) return NO_MODEL;
    if (this.known.has(model)) return model;
    if (this.known.size >= MODEL_LABELS_MAX || !isKnown(model)) return OTHER_MODEL;
    this.known.add(model);
    return model;
  }
}
