import { Injectable } from '@nestjs/common';
import { APIS, FROM_CATALOG, type Api, type ModelRoute } from '../platform/config/upstreams/upstreams-file.js';
import { Config } from '../platform/config/config.js';
import { UpstreamClient } from '../upstream/upstream-client.js';
import type { ConfiguredUpstream } from '../upstream/upstream-list.js';
import type { Upstream } from '../upstream/upstream.js';
import { ModelCatalog } from './catalog.service.js';
import { ModelCache } from './model-cache.js';
import { matchesPattern } from '../platform/validation/model-pattern.rules.js';

/** An upstream that can serve a model. */
export interface Candidate {
  readonly upstream: Upstream;
  /** The ID that is sent to the upstream. For an alias, it differs from the client's. Empty if the request names no model. */
  readonly model: string;
  /** The ID in the request. Empty if it names no model. */
  readonly requested: string;
  /** Null if the route orders its upstreams. */
  readonly weight: number | null;
  /** The provider might have processed a request that failed after it was sent, and the operator allows sending it again. */
  readonly repeatSent: boolean;
  /** The statuses that move a request to another upstream. */
  readonly failoverStatuses: readonly number[];
}

export interface ModelCandidates {
  readonly candidates: readonly Candidate[];
  readonly sticky: ModelRoute['sticky'];
  readonly strategy: ModelRoute['strategy'];
  /** Models that serve the request after an error about its content, by the error. */
  readonly fallbacks: ModelRoute['fallbacks'];
}

interface InRoute {
  readonly each: ConfiguredUpstream;
  readonly weight: number | null;
}

const NO_ROUTE: Omit<ModelCandidates, 'candidates'> = { sticky: 'none', strategy: 'order', fallbacks: {} };

/** Determines which upstreams can serve a model, regardless of the state of the upstreams. */
@Injectable()
export class UpstreamCandidates {
  private readonly known = new ModelCache<ModelCandidates>();
  private all: Readonly<Record<Api, readonly Candidate[]>> | null = null;

  constructor(
    private readonly client: UpstreamClient,
    private readonly catalog: ModelCatalog,
    private readonly config: Config,
  ) {
    catalog.onChange(() => this.known.clear());
    client.onChange(() => {
      this.known.clear();
      this.all = null;
    });
  }

  /** False without `GW_UPSTREAMS`. Model lists then do not show who serves a model. */
  get areNamed(): boolean {
    return this.client.all[0]!.isNamed;
  }

  /** Returns the candidates in the order of the model's route. There are none if no upstream with this API serves the model. */
  of(model: string, api: Api): ModelCandidates {
    const name = `${api} ${model}`;
    const known = this.known.get(name);
    if (known !== undefined) return known;
    const serving = this.find(model, api);
    this.known.set(name, serving);
    return serving;
  }

  /** The candidates of all fallback models of the model's route. */
  fallbacksOf(model: string, api: Api): readonly Candidate[] {
    return Object.values(this.of(model, api).fallbacks).flatMap((name) => this.of(name, api).candidates);
  }

  /** Requests without a model can use every upstream of their API. */
  withoutModel(api: Api): readonly Candidate[] {
    this.all ??= { openai: this.allOf('openai'), anthropic: this.allOf('anthropic') };
    return this.all[api];
  }

  /** Whether an upstream serves a model with exactly this ID, not through an alias. Only such a model can be named inside a body. */
  servesItself(model: string): boolean {
    return APIS.some((api) => this.of(model, api).candidates.some((candidate) => candidate.model === model));
  }

  /** Whether the ID is only the operator's name for other models, which no provider knows. */
  isAlias(model: string): boolean {
    const candidates = this.upstreamsOf(model);
    return candidates.length > 0 && candidates.every((candidate) => candidate.model !== model);
  }

  /** For operators: the upstreams that serve a model through any API. */
  upstreamsOf(model: string): readonly Candidate[] {
    const all = APIS.flatMap((api) => this.of(model, api).candidates);
    return all.filter(({ upstream }, at) => all.findIndex((other) => other.upstream === upstream) === at);
  }

  private allOf(api: Api): readonly Candidate[] {
    return this.client.list.filter(({ spec }) => spec.apis.includes(api)).map((each) => candidateOf(each, ''));
  }

  private find(model: string, api: Api): ModelCandidates {
    const { list } = this.client;
    const route = this.config.upstreams?.file.routes.find(({ models }) => matchesPattern(models, model));
    const { sticky, strategy, fallbacks } = route ?? NO_ROUTE;
    const inRoute: InRoute[] = route === undefined ? list.map((each) => ({ each, weight: null })) : routed(list, route);
    const listed = inRoute.filter(({ each }) => this.catalog.modelsOf(each.catalog)?.has(model) === true);
    const serving = listed.length > 0 ? listed : this.possible(model, list, inRoute);
    return {
      candidates: serving
        .filter(({ each }) => each.spec.apis.includes(api))
        .map(({ each, weight }) => candidateOf(each, model, weight)),
      sticky,
      strategy,
      fallbacks,
    };
  }

  /** The model gate accepts some models that no list contains: while a list is unknown, and those that the policy allows. */
  private possible(
    model: string,
    list: readonly ConfiguredUpstream[],
    inRoute: readonly InRoute[],
  ): readonly InRoute[] {
    const fromCatalog = inRoute.filter(({ each }) => each.spec.models === FROM_CATALOG);
    const unread = fromCatalog.filter(({ each }) => !this.catalog.hasList(each.catalog));
    if (unread.length > 0) return unread;
    return this.isListed(model, list) ? [] : fromCatalog;
  }

  private isListed(model: string, list: readonly ConfiguredUpstream[]): boolean {
    return list.some(({ catalog }) => this.catalog.modelsOf(catalog)?.has(model) === true);
  }
}

/** The route's upstreams in its order. */
function routed(list: readonly ConfiguredUpstream[], route: ModelRoute): InRoute[] {
  return route.upstreams.flatMap(({ name, weight }) => {
    const each = list.find(({ spec }) => spec.name === name);
    return each === undefined ? [] : [{ each, weight }];
  });
}

const candidateOf = (
  { upstream, spec }: ConfiguredUpstream,
  model: string,
  weight: number | null = null,
): Candidate => ({
  upstream,
  model: spec.aliases.get(model) ?? model,
  requested: model,
  weight,
  repeatSent: spec.repeatSent,
  failoverStatuses: spec.failoverStatuses,
});
