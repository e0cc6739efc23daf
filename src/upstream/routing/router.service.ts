import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { Api } from '../../platform/config/upstreams/upstreams-file.js';
import {
  invalidValue,
  modelNotAvailable,
  notFound,
  serviceUnavailable,
} from '../../platform/errors/error-factories.js';
import { jsonBeginning } from '../../platform/json/json-beginning.js';
import { MODEL_FIELDS, modelsIn, modelsInside } from '../../platform/json/named-models.js';
import { ModelGate } from '../../model-policy/model-gate.service.js';
import {
  UpstreamCandidates,
  type Candidate,
  type ModelCandidates,
} from '../../model-policy/upstream-candidates.service.js';
import type { RequestContext } from '../../platform/request-context/request-context.js';
import type { GatewayRouteSpec } from '../../platform/routes/route-spec.js';
import { UpstreamClient } from '../upstream-client.js';
import type { Upstream } from '../upstream.js';
import { orderCandidates } from './candidate-order.rules.js';
import { expiresOf } from './objects/created-objects.rules.js';
import { jsonOfOpaque, objectsNamedBy } from './objects/named-objects.rules.js';
import { ObjectOwners } from './objects/object-owners.service.js';
import { responseObjects, type NamedObjects, type ResponseObjects } from './objects/response-objects.js';
import { UpstreamDrains } from './upstream-drains.service.js';
import { isObject, type JsonObject } from '../../platform/validation/check.js';

export interface Choice {
  /** At least one, in the order of preference. */
  readonly candidates: readonly Candidate[];
  /** The path names an object whose upstream is unknown. */
  readonly ownerUnknown: boolean;
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
    private readonly drains: UpstreamDrains,
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
    if (!this.hasOwners(api)) return { candidates: this.order(ctx, serving), ownerUnknown: false, objects: null };
    const named = namedObjects(ctx, route, request);
    const { owners } = this;
    const choose = (name: string | null): Choice => {
      const ownerUnknown = name === null && named.inPath;
      return {
        candidates:
          name === null
            ? this.order(ctx, serving, ownerUnknown)
            : [this.ownerAmong(serving.candidates, name, ctx.model)],
        ownerUnknown,
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
    if (ctx.model === null) return { candidates: this.candidates.withoutModel(api), sticky: 'none' };
    const known = this.candidates.of(ctx.model, api);
    const { candidates, sticky } = known;
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
    return { candidates: all, sticky };
  }

  private servesAll({ upstream }: Candidate, models: readonly string[], api: Api): boolean {
    return models.every((model) =>
      this.candidates.of(model, api).candidates.some((each) => each.upstream === upstream && each.model === model),
    );
  }

  /** @param ofObject the request names an object that a draining upstream might hold, so draining upstreams come last */
  private order(ctx: RequestContext, { candidates, sticky }: ModelCandidates, ofObject = false): readonly Candidate[] {
    const isOpen = ({ upstream }: Candidate) => !upstream.isNamed || this.drains.of(upstream.name) === undefined;
    if (candidates.length === 1 && isOpen(candidates[0]!)) return candidates;
    const open = orderCandidates(candidates.filter(isOpen), {
      stickyKey: stickyKeyOf(ctx, sticky),
      shareOf: ({ upstream, model }) => upstream.pressure.shareOf(model),
      isBlocked: ({ upstream }) => upstream.breaker.blocking || isBusy(upstream),
      random: Math.random,
    });
    const usable = ofObject ? [...open, ...candidates.filter((candidate) => !isOpen(candidate))] : open;
    if (usable.length > 0) return usable;
    throw serviceUnavailable(new Error('All upstreams that can serve the request are draining'));
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

/** Whether a request would have to wait for a connection. */
const isBusy = ({ permits }: Upstream): boolean => permits.free === 0 || permits.waiting > 0;

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

function stickyKeyOf(ctx: RequestContext, sticky: ModelCandidates['sticky']): string | null {
  switch (sticky) {
    case 'none':
      return null;
    case 'key':
      return ctx.key!.id;
    case 'conversation':
      return conversationKey(ctx.body.json) ?? ctx.key!.id;
    default:
      return sticky satisfies never;
  }
}

/** Longer texts share their beginning with other turns of the same conversation. */
const TEXT_LENGTH_MAX = 2_000;

/**
 * Returns a text that all requests of a conversation share, or null. The caller's own name for the conversation is best.
 * Otherwise it is the beginning: the instructions and the first two messages, which later turns repeat.
 */
export function conversationKey(json: JsonObject | null): string | null {
  if (json === null) return null;
  const name = json['prompt_cache_key'] ?? idOf(json['conversation']) ?? sessionOf(json['metadata']);
  if (typeof name === 'string' && name !== '') return `name ${name.slice(0, TEXT_LENGTH_MAX)}`;
  const messages = json['messages'] ?? json['input'] ?? json['prompt'];
  const opening = Array.isArray(messages) ? messages.slice(0, 2) : messages;
  const parts = [json['system'], json['instructions'], opening].filter((part) => part !== undefined && part !== null);
  return parts.length === 0 ? null : `text ${parts.map(beginning).join('\n')}`;
}

const idOf = (conversation: unknown): unknown => (isObject(conversation) ? conversation.id : conversation);

/** Claude Code puts its session into the user ID. */
const sessionOf = (metadata: unknown): unknown => (isObject(metadata) ? metadata.user_id : undefined);

const beginning = (part: unknown): string =>
  typeof part === 'string' ? part.slice(0, TEXT_LENGTH_MAX) : jsonBeginning(part, TEXT_LENGTH_MAX);
