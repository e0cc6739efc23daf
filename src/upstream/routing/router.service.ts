import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { FALLBACK_REASONS, type Api, type FallbackReason } from '../../platform/config/upstreams/upstreams-file.js';
import {
  invalidValue,
  modelNotAvailable,
  notFound,
  serviceUnavailable,
} from '../../platform/errors/error-factories.js';
import { modelsIn, modelsInside } from '../../platform/json/models-in-body.js';
import { MODEL_FIELDS } from '../../platform/json/model-fields.data.js';
import { ModelGate } from '../../model-policy/model-gate.service.js';
import {
  UpstreamCandidates,
  type Candidate,
  type ModelCandidates,
} from '../../model-policy/upstream-candidates.service.js';
import type { RequestContext } from '../../platform/request-context/request-context.js';
import type { GatewayRouteSpec } from '../../platform/routes/route-spec.js';
import { requestKindOf, type RequestKind } from '../request-kind.rules.js';
import { UpstreamClient } from '../upstream-client.js';
import type { Upstream } from '../upstream.js';
import { CandidateOrder } from './candidate-order.service.js';
import { conversationKey, promptCacheKey } from './conversation-key.rules.js';
import { expiresOf } from './objects/created-objects.rules.js';
import { jsonOfOpaque, objectsNamedBy } from './objects/named-objects.rules.js';
import { isSignatureId, sharesSignatures } from './objects/opaque-content.rules.js';
import { ObjectOwners } from './objects/object-owners.service.js';
import { responseObjects, type NamedObjects, type ResponseObjects } from './objects/response-objects.js';
import type { Fallbacks } from './routed-call.js';

export interface Choice {
  /** At least one, in the order of preference. */
  readonly candidates: readonly Candidate[];
  readonly kind: RequestKind;
  /** The path names an object whose upstream is unknown. */
  readonly ownerUnknown: boolean;
  /** The path or the body names an object, which an account might not have. */
  readonly namesObject: boolean;
  /** The upstream of an object that the request names. No other one can serve the request. */
  readonly owner: string | null;
  /** Null if no other model can serve the request. */
  readonly fallbacks: Fallbacks | null;
  /** Null if the response does not affect stored objects, or if all objects are at one upstream. */
  readonly objects: ResponseObjects | null;
}

/**
 * Chooses the upstreams of a request: those that support its API and serve all models that it names, if its key can use them. The
 * owner of an object that the request names is the only choice.
 */
@Injectable()
export class Router {
  constructor(
    private readonly client: UpstreamClient,
    private readonly candidates: UpstreamCandidates,
    private readonly gate: ModelGate,
    private readonly owners: ObjectOwners,
    private readonly ordering: CandidateOrder,
  ) {}

  /** Whether objects can be at more than one upstream. */
  hasOwners(api: Api): boolean {
    return this.candidates.withoutModel(api).length > 1;
  }

  /**
   * Call it while the parsed body exists. Returns a promise only if the owner of an object must be read from the database.
   * @throws GatewayError 400, 403 or 404 if no upstream can serve the request, 503 if all that can are draining
   */
  choose(ctx: RequestContext, api: Api, request: FastifyRequest): Choice | Promise<Choice> {
    const route = ctx.route as GatewayRouteSpec;
    const serving = this.candidatesOf(ctx, route, api);
    const kind = requestKindOf(route.endpoint, ctx.model);
    const order: Order = (known, ofObject) =>
      this.ordering.of(known, kind, () => stickyKeyOf(ctx, request, known), ofObject);
    const fallbacks = () => this.fallbacksOf(ctx, api, serving.fallbacks, order);
    if (!this.hasOwners(api))
      return {
        candidates: required(order(serving, false)),
        kind,
        ownerUnknown: false,
        namesObject: false,
        owner: null,
        fallbacks: fallbacks(),
        objects: null,
      };
    const named = namedObjects(ctx, route, request);
    const { owners } = this;
    const choose = (name: string | null): Choice => {
      const ownerUnknown = name === null && named.inPath;
      const isBound = name !== null && !named.ids.every(isSignatureId);
      const accepting =
        name === null ? serving : { ...serving, candidates: signatureAccepting(serving.candidates, name) };
      return {
        candidates: isBound
          ? [this.ownerAmong(serving.candidates, name, ctx.model)]
          : required(order(accepting, ownerUnknown || name !== null)),
        kind,
        ownerUnknown,
        namesObject: named.ids.length > 0,
        owner: isBound || accepting.candidates.every(({ upstream }) => upstream.name === name) ? name : null,
        // An object can be used only with its upstream.
        fallbacks: name === null && !ownerUnknown ? fallbacks() : null,
        objects: responseObjects(ctx, route, { named, ownerUnknown, owners }),
      };
    };
    const owner = named.ids.length === 0 ? null : owners.ownerOf(named.ids);
    return owner instanceof Promise ? owner.then(choose) : choose(owner);
  }

  /** The upstreams of an object that the gateway itself reads: its owner, or all if it is unknown. @throws GatewayError 404 */
  async upstreamsOfObject(id: string, api: Api): Promise<readonly Upstream[]> {
    const all = this.candidates.withoutModel(api).map(({ upstream }) => upstream);
    const name = all.length > 1 ? await this.owners.ownerOf([id]) : null;
    if (name === null) return all;
    const owner = this.client.byName(name);
    if (owner === undefined) throw removedOwner(name);
    return [owner];
  }

  /** Requests that name the object go to this upstream from now on. */
  rememberOwner(id: string, { name }: Upstream, endpoint: string): Promise<void> {
    return this.owners.record([id], name, expiresOf(endpoint));
  }

  private candidatesOf(ctx: RequestContext, route: GatewayRouteSpec, api: Api): ModelCandidates {
    if (ctx.model === null)
      return { candidates: this.candidates.withoutModel(api), sticky: 'none', strategy: 'order', fallbacks: {} };
    const known = this.candidates.of(ctx.model, api);
    const { candidates } = known;
    // Without `GW_UPSTREAMS`, the only upstream of the API serves every model that stage 5 accepts.
    if (candidates[0]?.upstream.isNamed === false) return known;
    const key = ctx.key!;
    // Stage 5 accepts the request if the key can use one of the models behind an alias. The others still have to be checked.
    const usable = candidates.every(({ model }) => model === ctx.model)
      ? candidates
      : candidates.filter(({ model }) =>
          route.modelIn === undefined ? this.gate.permits(model, route, key) : model === ctx.model,
        );
    const nested = nestedModels(ctx);
    const all = nested.length === 0 ? usable : usable.filter((each) => this.servesAll(each, nested, api));
    if (all.length === 0) throw modelNotAvailable('not_listed');
    return { ...known, candidates: all };
  }

  /** Fallback models that the key can use on this route, with the upstreams that serve all other models of the request too. */
  private fallbacksOf(
    ctx: RequestContext,
    api: Api,
    configured: ModelCandidates['fallbacks'],
    order: Order,
  ): Fallbacks | null {
    const route = ctx.route as GatewayRouteSpec;
    const key = ctx.key!;
    const found: Partial<Record<FallbackReason, readonly Candidate[]>> = {};
    for (const reason of FALLBACK_REASONS) {
      const name = configured[reason];
      if (name === undefined || name === ctx.model || route.modelIn !== undefined) continue;
      if (this.gate.judgeRoutedModel(name, route, key) !== null) continue;
      const known = this.candidates.of(name, api);
      const nested = nestedModels(ctx);
      const candidates = known.candidates.filter(
        (each) => this.gate.permits(each.model, route, key) && this.servesAll(each, nested, api),
      );
      const ordered = order({ ...known, candidates }, false);
      if (ordered.length > 0) found[reason] = ordered;
    }
    return Object.keys(found).length === 0 ? null : found;
  }

  private servesAll({ upstream }: Candidate, models: readonly string[], api: Api): boolean {
    return models.every((model) =>
      this.candidates.of(model, api).candidates.some((each) => each.upstream === upstream && each.model === model),
    );
  }

  private ownerAmong(candidates: readonly Candidate[], name: string, model: string | null): Candidate {
    const owner = candidates.find(({ upstream }) => upstream.name === name);
    if (owner !== undefined) return owner;
    if (this.client.byName(name) === undefined) throw removedOwner(name);
    if (model === null)
      throw notFound(
        `This object belongs to the upstream "${name}", which does not serve this route. Create it again at another one.`,
      );
    throw invalidValue('model', `a model of the upstream "${name}", which holds the object that the request names`);
  }
}

/** The upstreams that accept the signatures of this one. All, if it does not serve the request, because its model has then changed. */
function signatureAccepting(candidates: readonly Candidate[], name: string): readonly Candidate[] {
  const owner = candidates.find(({ upstream }) => upstream.name === name)?.upstream;
  if (owner === undefined) return candidates;
  return candidates.filter(({ upstream }) => upstream === owner || sharesSignatures(upstream.baseUrl, owner.baseUrl));
}

type Order = (known: ModelCandidates, ofObject: boolean) => readonly Candidate[];

/** @throws GatewayError 503 */
function required(candidates: readonly Candidate[]): readonly Candidate[] {
  if (candidates.length > 0) return candidates;
  throw serviceUnavailable(new Error('All upstreams that can serve the request are draining'));
}

const removedOwner = (name: string) =>
  notFound(`This object belongs to the upstream "${name}", which is no longer configured. Create the object again.`);

function namedObjects(
  { body }: RequestContext,
  { endpoint }: GatewayRouteSpec,
  { params }: FastifyRequest,
): NamedObjects {
  const pathIds = Object.values((params ?? {}) as Record<string, string>);
  const ids = objectsNamedBy(endpoint, pathIds, body.json ?? jsonOfOpaque(endpoint, body.bytes));
  return { ids, pathIds, inPath: ids.length > 0 && pathIds.includes(ids[0]!) };
}

function nestedModels({ body }: RequestContext): readonly string[] {
  if (body.json === null) return [];
  const { json } = body;
  const fields = MODEL_FIELDS.filter((field) => json[field] !== undefined);
  if (fields.length === 0 && !body.namesModelsInside) return [];
  const models = fields.flatMap((field) => modelsIn(field, json));
  return [...new Set(body.namesModelsInside ? [...models, ...modelsInside(json).models] : models)];
}

function stickyKeyOf(
  ctx: RequestContext,
  { headers }: FastifyRequest,
  { sticky, candidates }: ModelCandidates,
): string | null {
  switch (sticky) {
    case 'none':
      // The order of a route without weights is the operator's choice.
      return candidates.some(({ weight }) => weight !== null) ? promptCacheKey(ctx.body.json) : null;
    case 'key':
      return ctx.key!.id;
    case 'conversation':
      return conversationKey(ctx.body.json, headers) ?? ctx.key!.id;
    default:
      return sticky satisfies never;
  }
}
