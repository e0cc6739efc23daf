import { Injectable } from '@nestjs/common';
import { Config } from '../platform/config/config.js';
import {
  invalidValue,
  modelEndpointMismatch,
  modelNotAllowed,
  modelNotAvailable,
  type ModelObstacle,
  serviceUnavailable,
  unnamedModelNotAvailable,
} from '../platform/errors/error-factories.js';
import type { GatewayError } from '../platform/errors/gateway-error.js';
import type { GatewayRouteSpec } from '../platform/routes/route-spec.js';
import type { KeySnapshot } from '../platform/request-context/key-snapshot.js';
import type { RequestContext } from '../platform/request-context/request-context.js';
import type { BatchRequest } from './batch/batch-lines.js';
import {
  allowsModel,
  couldRunOn,
  eachRequestNamesModel,
  endpointMismatch,
  hasDefaultModel,
  judgedEndpoint,
  modelPathOf,
  requestedModel,
} from './model-gate.rules.js';
import type { ModelFacts } from './registry/model-facts.js';
import { obstacleOf } from './availability.rules.js';
import { ModelCache } from './model-cache.js';
import { isModelName } from '../platform/validation/model-name.rules.js';
import { modelsIn, modelsInside } from '../platform/json/models-in-body.js';
import { MODEL_FIELDS } from '../platform/json/model-fields.data.js';
import { UpstreamCandidates } from './upstream-candidates.service.js';
import { ModelStates } from './model-states.service.js';

interface Judgment {
  readonly obstacle: ModelObstacle | null;
  readonly hint: string | null;
}

type Key = Pick<KeySnapshot, 'allowedModels'>;
type Route = Pick<GatewayRouteSpec, 'endpoint' | 'model' | 'judgedAs' | 'api'> &
  Partial<Pick<GatewayRouteSpec, 'modelIn' | 'requestsIn' | 'runsModelsOf' | 'defaultModelOf'>>;
type Json = Readonly<Record<string, unknown>>;

interface GatedBody {
  readonly json: Json;
  /** False if only the top-level `model` and `MODEL_FIELDS` name models. */
  readonly namesModelsInside: boolean;
  /** The provider reads the body from a file, so aliases in it are not replaced. */
  readonly isFileLine?: boolean;
}

const ENDPOINT_OF = { openai: '/v1/chat/completions', anthropic: '/v1/messages' } as const;
/** Limit per field other than `model`. Providers accept three. */
const MODELS_PER_FIELD_MAX = 64;

/** Stage 5 of D1: decides whether a key can use the models of a request on its route. */
@Injectable()
export class ModelGate {
  private readonly judgments = new ModelCache<Judgment>();
  /** The registry's facts about each blocked model. Null if not read since the last change. */
  private blocked: readonly (ModelFacts | null)[] | null = null;

  constructor(
    private readonly states: ModelStates,
    private readonly candidates: UpstreamCandidates,
    private readonly config: Config,
  ) {
    states.onChange(() => {
      this.judgments.clear();
      this.blocked = null;
    });
  }

  /** False only at startup. Callers must then await `whenReady` before they check a model. */
  get ready(): boolean {
    return this.states.ready;
  }

  /** Resolves within 2 s. @throws GatewayError `service_unavailable` if the model policy could not be read by then */
  async whenReady(): Promise<void> {
    await this.states.whenReady();
  }

  /** Takes about a microsecond for a body that names one model. */
  judge(ctx: RequestContext): GatewayError | null {
    const { route, key, body } = ctx;
    if (route === null || key === null) throw new Error('a request was checked before its route and key were known');
    if (route.kind !== 'gateway') return null;
    if (body.ambiguity !== null && this.gates(key)) return body.ambiguity;
    if (route.model === 'none') return null;
    if (body.json === null && route.model !== 'unnamed') return null;
    return this.judgeBody({ json: body.json ?? {}, namesModelsInside: body.namesModelsInside }, route, key);
  }

  /**
   * Returns the error for a body, or null. The order is 403 `model_not_available`, 403 `model_not_allowed`, 400
   * `model_endpoint_mismatch`. More than 64 models in one field of `MODEL_FIELDS` are rejected with 400 `invalid_value`. A top-level
   * `model` and each entry of `models` must fit the route. Every other model (D29) must only be routed and allowed.
   */
  judgeBody({ json, namesModelsInside, isFileLine = false }: GatedBody, route: Route, key: Key): GatewayError | null {
    // Without the policy, a blocked model could pass.
    if (!this.states.policyKnown) return serviceUnavailable(new Error('the model policy has not been read yet'));
    const unnamed = this.judgeUnnamed(json, route, key);
    if (unnamed !== null) return unnamed;
    const { model } = json;
    if (isModelName(model)) {
      const rejection = isFileLine ? this.judgeUnchanged(model, route, key) : this.judgeRoutedModel(model, route, key);
      if (rejection !== null) return rejection;
    }
    for (const field of MODEL_FIELDS) {
      if (json[field] === undefined) continue;
      const rejection = this.judgeField(field, json, route, key);
      if (rejection !== null) return rejection;
    }
    return namesModelsInside ? this.judgeNestedModels(json, route.endpoint, key) : null;
  }

  /**
   * Checks one line of a batch file. A key with allowed models must name one of them.
   * @param routes those that the path in the line can reach. None if the gateway does not have the route
   */
  judgeBatch({ url, json, namesModelsInside }: BatchRequest, key: Key, routes: readonly Route[]): GatewayError | null {
    const { endpoint, api, modelIn, judgedAs }: Omit<Route, 'model'> = routes[0] ?? { endpoint: url, api: 'openai' };
    // The stored object is not read for a line.
    const isUnnamed = routes.some(({ model, runsModelsOf }) => model === 'unnamed' || runsModelsOf !== undefined);
    const ofLine: Route = { endpoint, api, modelIn, judgedAs, model: isUnnamed ? 'unnamed' : 'defaulted' };
    return this.judgeBody({ json, namesModelsInside, isFileLine: true }, ofLine, key);
  }

  /** Whether there is a model that the key cannot use. Only then, stored objects are read and checked (`judgeStored`). */
  gates(key: Key): boolean {
    return isRestricted(key) || this.blockedFacts.length > 0;
  }

  /**
   * Checks the models in an object that the provider has stored. Unlike in a body, they only must not be blocked, and must be allowed.
   * @param mustName the object has a model of its own
   */
  judgeStored(json: Json, key: Key, mustName: boolean): GatewayError | null {
    const { model } = json;
    if (mustName && !isModelName(model)) return modelNotAllowed(UNKNOWN_STORED_MODEL);
    const fields = MODEL_FIELDS.flatMap((field) => modelsIn(field, json));
    const models = [...(typeof model === 'string' ? [model] : []), ...fields, ...modelsInside(json).models];
    for (const each of new Set(models)) {
      if (this.states.of(each).enabled === false) return modelNotAvailable('blocked');
      if (!allowsModel(key.allowedModels, each)) return modelNotAllowed(STORED_MODEL_NOT_ALLOWED);
    }
    return null;
  }

  /** Whether a key can call this model on a route. `model` is the ID that is sent upstream, not an alias. */
  permits(model: string, { endpoint, judgedAs = endpoint }: Pick<Route, 'endpoint' | 'judgedAs'>, key: Key): boolean {
    return judgedAs === null
      ? this.judgmentOf(model, endpoint).obstacle === null && allowsModel(key.allowedModels, model)
      : this.judgeModel(model, judgedAs, key) === null;
  }

  /** Checks a request whose model the provider chooses. Returns null if the body names the model, or a later check reads it. */
  private judgeUnnamed(json: Json, route: Route, key: Key): GatewayError | null {
    const { model, runsModelsOf, defaultModelOf, endpoint, judgedAs = endpoint } = route;
    if (model === 'unnamed') {
      if (runsModelsOf !== undefined) return null;
      if (isRestricted(key)) return modelNotAllowed(MODEL_OF_ROUTE_UNKNOWN);
      return this.canRunBlocked(judgedAs) ? unnamedModelNotAvailable(false) : null;
    }
    const named = typeof requestedModel(json, route) === 'string' || route.model === 'if-any';
    if ((named && eachRequestNamesModel(json, route)) || !hasDefaultModel(route, this.config.validation)) return null;
    if (isRestricted(key)) {
      const path =
        route.requestsIn === undefined ? modelPathOf(json, route).join('.') : `${route.requestsIn}[].params.model`;
      return modelNotAllowed(`This API key can use only certain models. Name one of them in '${path}'.`);
    }
    if (defaultModelOf !== undefined || route.requestsIn !== undefined) return null;
    return this.canRunBlocked(judgedAs) ? unnamedModelNotAvailable(true) : null;
  }

  /** Whether the provider could choose a blocked model on a route whose models must fit `endpoint`. */
  private canRunBlocked(endpoint: string | null): boolean {
    return this.blockedFacts.some((facts) => couldRunOn(facts, endpoint));
  }

  private get blockedFacts(): readonly (ModelFacts | null)[] {
    this.blocked ??= this.states
      .blocked()
      .filter((model) => !this.candidates.isAlias(model))
      .map((model) => this.states.of(model).facts);
    return this.blocked;
  }

  /** @param model at most 200 characters */
  private judgeModel(model: string, endpoint: string, key: Key): GatewayError | null {
    const { obstacle, hint } = this.judgmentOf(model, endpoint);
    if (obstacle !== null) return modelNotAvailable(obstacle);
    if (!allowsModel(key.allowedModels, model)) return modelNotAllowed();
    return hint === null ? null : modelEndpointMismatch(hint);
  }

  /**
   * Checks a model that the route itself runs, unlike one for a tool or grader. An alias can stand for several models, of which one
   * usable model is enough.
   */
  judgeRoutedModel(model: string, route: Route, key: Key): GatewayError | null {
    const { candidates } = this.candidates.of(model, route.api);
    if (candidates.length === 1 && candidates[0]!.model === model) return this.judgeOne(model, route, key);
    if (this.states.of(model).enabled === false) return modelNotAvailable('blocked');
    let first: GatewayError | null = null;
    for (const sent of new Set(candidates.map((candidate) => candidate.model))) {
      const rejection = this.judgeOne(sent, route, key);
      if (rejection === null) return null;
      first ??= rejection;
    }
    return first ?? this.judgeUnserved(model, route, key);
  }

  /** No upstream of the route's API serves the model. */
  private judgeUnserved(model: string, route: Route, key: Key): GatewayError {
    const other = route.api === 'openai' ? 'anthropic' : 'openai';
    const [elsewhere] = this.candidates.of(model, other).candidates;
    if (elsewhere === undefined) return modelNotAvailable('not_listed');
    const rejection = this.judgeNested(elsewhere.model, route.endpoint, key);
    return rejection ?? modelEndpointMismatch(`use POST ${ENDPOINT_OF[other]}.`);
  }

  /** Checks a model that is sent as it is. */
  private judgeUnchanged(model: string, route: Route, key: Key): GatewayError | null {
    return this.isOnlyAlias(model) ? modelNotAvailable('not_listed') : this.judgeOne(model, route, key);
  }

  /** Such a name can be used only as the model that a route runs, because nothing else in a body is changed. */
  private isOnlyAlias(model: string): boolean {
    return !this.candidates.servesItself(model);
  }

  private judgeOne(model: string, { endpoint, judgedAs = endpoint }: Route, key: Key): GatewayError | null {
    return judgedAs === null ? this.judgeNested(model, endpoint, key) : this.judgeModel(model, judgedAs, key);
  }

  private judgeField(field: string, json: Json, route: Route, key: Key): GatewayError | null {
    if (field === 'fallbacks' && json[field] === 'default' && this.states.isCurrentProfile)
      return defaultFallbacksRejection(key);
    const models = modelsIn(field, json);
    if (models.length > MODELS_PER_FIELD_MAX) return invalidValue(field, `limited to ${MODELS_PER_FIELD_MAX} models`);
    for (const model of models) {
      const rejection =
        field === 'models' && isModelName(model)
          ? this.judgeUnchanged(model, route, key)
          : this.judgeNested(model, route.endpoint, key);
      if (rejection !== null) return rejection;
    }
    return null;
  }

  /** The number of nested models is not limited, because a batch names a model per request. */
  private judgeNestedModels(json: Json, endpoint: string, key: Key): GatewayError | null {
    const { models, providerChooses } = modelsInside(json, this.states.isCurrentProfile);
    for (const model of new Set(models)) {
      const rejection = this.judgeNested(model, endpoint, key);
      if (rejection !== null) return rejection;
    }
    return providerChooses ? defaultFallbacksRejection(key) : null;
  }

  /** A nested model does not have to fit the route, because a tool, grader or session uses it for its own purpose. */
  private judgeNested(model: string, endpoint: string, { allowedModels }: Key): GatewayError | null {
    // No later stage validates these fields, so an ID that is too long for a catalog is rejected here.
    if (!isModelName(model)) return modelNotAvailable('not_listed');
    if (this.isOnlyAlias(model)) return modelNotAvailable('not_listed');
    const { obstacle } = this.judgmentOf(model, endpoint);
    if (obstacle !== null) return modelNotAvailable(obstacle);
    return allowsModel(allowedModels, model) ? null : modelNotAllowed();
  }

  private judgmentOf(model: string, endpoint: string): Judgment {
    // Endpoints contain no spaces, so the cache key is unambiguous.
    const name = `${endpoint} ${model}`;
    const known = this.judgments.get(name);
    if (known !== undefined) return known;
    const state = this.states.of(model);
    const hint = this.states.isVouchedFor(state) ? null : endpointMismatch(state.facts, judgedEndpoint(endpoint));
    const judgment = { obstacle: obstacleOf(state), hint };
    // Unroutable IDs are not cached, so clients cannot fill the cache with invented ones. Without a catalog some of them are
    // routable, hence the limit.
    if (judgment.obstacle !== null) return judgment;
    this.judgments.set(name, judgment);
    return judgment;
  }
}

const isRestricted = ({ allowedModels }: Key): boolean => allowedModels !== null && allowedModels.length > 0;

const MODEL_OF_ROUTE_UNKNOWN =
  'This API key can use only certain models, and the provider chooses the model on this route. Use a key without allowed models.';
const UNKNOWN_STORED_MODEL = 'The gateway cannot determine the model of the stored object that this request runs.';
const STORED_MODEL_NOT_ALLOWED =
  'This API key is not allowed to use a model of the stored object that this request runs.';

/** `fallbacks: "default"` lets the provider choose models, so only a key without allowed models can send it. */
const defaultFallbacksRejection = (key: Key): GatewayError | null =>
  isRestricted(key)
    ? modelNotAllowed("This API key can use only certain models. Name the models in 'fallbacks'.")
    : null;
