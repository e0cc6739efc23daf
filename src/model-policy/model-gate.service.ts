import { Injectable } from '@nestjs/common';
import { Config } from '../config/config.js';
import {
  invalidValue,
  modelEndpointMismatch,
  modelNotAllowed,
  modelNotAvailable,
  type ModelObstacle,
  serviceUnavailable,
} from '../errors/catalogue.js';
import type { GatewayError } from '../errors/gateway-error.js';
import type { GatewayRouteSpec } from '../routes/route-spec.js';
import type { KeySnapshot } from '../request-context/key-snapshot.js';
import type { RequestContext } from '../request-context/request-context.js';
import type { BatchRequest } from './batch/batch-lines.js';
import { allowsModel, mustNameModel, requestedModel } from './key-allowlist.rules.js';
import { obstacleOf } from './availability.rules.js';
import { isModelName } from '../validation/model-name.rules.js';
import { modelsIn, modelsInside, NAMING_MEMBERS } from '../json/named-models.js';
import { endpointMismatch, judgedEndpoint } from './model-gate.rules.js';
import { ModelStates } from './model-states.service.js';

/** The verdict on a model for every key. It is routed if `obstacle` is null, and fits the route if `hint` is null. */
interface Judgement {
  readonly obstacle: ModelObstacle | null;
  readonly hint: string | null;
}

type Key = Pick<KeySnapshot, 'allowedModels'>;
type Route = Pick<GatewayRouteSpec, 'endpoint' | 'model' | 'modelIn' | 'judgedAs'>;
type Json = Readonly<Record<string, unknown>>;

const JUDGEMENTS_MAX = 4096;
/** In one member besides `model`. Each is judged; providers take three. */
const OTHERS_MAX = 64;

/** Stage 5 of D1: decides whether a key can use the models of a request on its route. */
@Injectable()
export class ModelGate {
  private readonly judgements = new Map<string, Judgement>();

  constructor(
    private readonly states: ModelStates,
    private readonly config: Config,
  ) {
    states.onChange(() => this.judgements.clear());
  }

  /** False only at the start, until registry, policy and catalog have been read: wait for `whenReady` then. */
  get ready(): boolean {
    return this.states.ready;
  }

  /** Resolves within 2 s. @throws GatewayError `service_unavailable` if the model policy could not be read by then */
  async whenReady(): Promise<void> {
    await this.states.whenReady();
  }

  /**
   * The refusal of a request, or null. Looks at `ctx.route`, `ctx.key`, `ctx.body.json` and `ctx.body.namesModelsInside`.
   * Synchronous, about a microsecond for a body that names one model.
   */
  judge(ctx: RequestContext): GatewayError | null {
    const { route, key, body } = ctx;
    if (route === null || key === null) throw new Error('a request was judged before its route and key were known');
    if (route.kind !== 'gateway' || route.model === 'none' || body.json === null) return null;
    return this.judgeBody(body.json, route, key, body.namesModelsInside);
  }

  /**
   * The refusal of a body, or null. The codes in their order: 403 `model_not_available`, 403 `model_not_allowed`, 400
   * `model_endpoint_mismatch`. More than 64 models in one of `NAMING_MEMBERS` are 400 `invalid_value`. A top-level `model`,
   * and each entry of `models`, must fit the route. Every other model (D29) only has to be routed and allowed.
   *
   * @param inside false: only the top-level `model` and `NAMING_MEMBERS` name models
   */
  judgeBody(json: Json, route: Route, key: Key, inside = true): GatewayError | null {
    // A policy that was never read could let a blocked model through.
    if (!this.states.policyKnown) return serviceUnavailable(new Error('the model policy has not been read yet'));
    const { model } = json;
    if (
      typeof requestedModel(json, route) !== 'string' &&
      mustNameModel(key.allowedModels, route, this.config.validation)
    ) {
      const param = route.modelIn === undefined ? 'model' : `${route.modelIn}.model`;
      return modelNotAllowed(`This API key may only use certain models: name one of them in ${param}.`);
    }
    if (isModelName(model)) {
      const refusal = this.judgeOwn(model, route, key);
      if (refusal !== null) return refusal;
    }
    for (const member of NAMING_MEMBERS) {
      if (json[member] === undefined) continue;
      const refusal = this.judgeMember(member, json, route, key);
      if (refusal !== null) return refusal;
    }
    return inside ? this.judgeInside(json, route.endpoint, key) : null;
  }

  /**
   * The refusal of one line of a batch file (`BatchLines`), or null: that of its body on the route that the line names. A key
   * with a list of models has to name one of them.
   */
  judgeBatch({ endpoint, json, namesModelsInside }: BatchRequest, key: Key): GatewayError | null {
    return this.judgeBody(json, { endpoint, model: 'defaulted' }, key, namesModelsInside);
  }

  /** The refusal of a model that a path or form names, or null. @param model at most 200 characters */
  judgeModel(model: string, endpoint: string, key: Key): GatewayError | null {
    const { obstacle, hint } = this.judgementOf(model, endpoint);
    if (obstacle !== null) return modelNotAvailable(obstacle);
    if (!allowsModel(key.allowedModels, model)) return modelNotAllowed();
    return hint === null ? null : modelEndpointMismatch(hint);
  }

  /** A model that the route runs. It must fit the route, unless the route takes every model. */
  private judgeOwn(model: string, { endpoint, judgedAs = endpoint }: Route, key: Key): GatewayError | null {
    return judgedAs === null ? this.judgeNested(model, endpoint, key) : this.judgeModel(model, judgedAs, key);
  }

  private judgeMember(member: string, json: Json, route: Route, key: Key): GatewayError | null {
    if (member === 'fallbacks' && json[member] === 'default' && this.states.current) return refusalOfDefault(key);
    const models = modelsIn(member, json);
    if (models.length > OTHERS_MAX) return invalidValue(member, `one that names at most ${OTHERS_MAX} models`);
    for (const model of models) {
      const refusal =
        member === 'models' && isModelName(model)
          ? this.judgeOwn(model, route, key)
          : this.judgeNested(model, route.endpoint, key);
      if (refusal !== null) return refusal;
    }
    return null;
  }

  /** Their number is not bounded: a batch names a model for each of its requests. Each distinct one is judged once. */
  private judgeInside(json: Json, endpoint: string, key: Key): GatewayError | null {
    const { models, providerChooses } = modelsInside(json, this.states.current);
    for (const model of new Set(models)) {
      const refusal = this.judgeNested(model, endpoint, key);
      if (refusal !== null) return refusal;
    }
    return providerChooses ? refusalOfDefault(key) : null;
  }

  /** A nested model does not have to fit the route: a tool, a grader or a session uses it for a purpose of its own. */
  private judgeNested(model: string, endpoint: string, { allowedModels }: Key): GatewayError | null {
    // No later stage validates these members, so an ID that is too long for a catalog is refused here.
    if (!isModelName(model)) return modelNotAvailable('not_listed');
    const { obstacle } = this.judgementOf(model, endpoint);
    if (obstacle !== null) return modelNotAvailable(obstacle);
    return allowsModel(allowedModels, model) ? null : modelNotAllowed();
  }

  private judgementOf(model: string, endpoint: string): Judgement {
    // No endpoint holds a blank, so two pairs never make one key.
    const name = `${endpoint} ${model}`;
    const known = this.judgements.get(name);
    if (known !== undefined) return known;
    const state = this.states.of(model);
    const hint = this.states.isVouchedFor(state) ? null : endpointMismatch(state.facts, judgedEndpoint(endpoint));
    const judgement = { obstacle: obstacleOf(state), hint };
    // Unknown IDs are not kept. Without a catalog they pass as known, so the memory is bounded as well.
    if (judgement.obstacle !== null) return judgement;
    if (this.judgements.size >= JUDGEMENTS_MAX) this.judgements.clear();
    this.judgements.set(name, judgement);
    return judgement;
  }
}

/** `fallbacks: "default"` lets the provider choose models, so only a key without a list of models can send it. */
const refusalOfDefault = ({ allowedModels }: Key): GatewayError | null =>
  allowedModels === null || allowedModels.length === 0
    ? null
    : modelNotAllowed('This API key may only use certain models: name the models in fallbacks.');
