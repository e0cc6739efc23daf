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
import type { KeySnapshot } from '../request-context/key-snapshot.js';
import type { RequestContext } from '../request-context/request-context.js';
import type { GatewayRouteSpec } from '../routes/route-spec.js';
import { allowsModel, mustNameModel, requestedModel } from './key-allowlist.rules.js';
import { obstacleOf } from './availability.rules.js';
import { isModelName } from '../validation/model-name.rules.js';
import { modelsIn, NAMING_MEMBERS } from '../validation/named-models.js';
import { endpointMismatch, judgedEndpoint } from './endpoint-fit.rules.js';
import { ModelStates } from './model-states.service.js';

/** What holds of a model on a route whatever the key: `obstacle` null, it is routed; `hint` null, it fits. */
interface Judgement {
  readonly obstacle: ModelObstacle | null;
  readonly hint: string | null;
}

const JUDGEMENTS_MAX = 4096;
/** In one member beside `model`. Each is judged; providers take three. */
const OTHERS_MAX = 64;

/** Stage 5 of D1: may this key use this model on this route. */
@Injectable()
export class ModelGate {
  private readonly judgements = new Map<string, Judgement>();

  constructor(
    private readonly states: ModelStates,
    private readonly config: Config,
  ) {
    states.onChange(() => this.judgements.clear());
  }

  /** False only at the start, until what models are judged by has been read: wait for `whenReady` then. */
  get ready(): boolean {
    return this.states.ready;
  }

  /** Resolves within 2 s. @throws GatewayError `service_unavailable` where the model policy could not be read by then */
  async whenReady(): Promise<void> {
    await this.states.whenReady();
  }

  /**
   * The refusal of a request's models, null where it passes: 403 `model_not_available`, 403 `model_not_allowed`,
   * 400 `model_endpoint_mismatch`, in this order; 400 `invalid_value` where one member names more than 64. Synchronous,
   * about a microsecond. Looks at `ctx.route`, `ctx.key` and `ctx.json`: its `model`, then each string in a top-level `models`
   * and whatever else names models (D29).
   */
  judge(ctx: RequestContext): GatewayError | null {
    const { route, key, json } = ctx;
    if (route === null || key === null) throw new Error('a request was judged before its route and key were known');
    if (route.kind !== 'gateway' || route.model === 'none' || json === null) return null;
    // A policy that was never read could let a blocked model through.
    if (!this.states.policyKnown) return serviceUnavailable(new Error('the model policy has not been read yet'));
    const { model } = json;
    const own = requestedModel(json, route);
    if (typeof own !== 'string' && mustNameModel(key.allowedModels, route, this.config.validation)) {
      const param = route.modelIn === undefined ? 'model' : `${route.modelIn}.model`;
      return modelNotAllowed(`This API key may only use certain models: name one of them in ${param}.`);
    }
    if (isModelName(model)) {
      const refusal = this.judgeOwn(model, route, key);
      if (refusal !== null) return refusal;
    }
    if (own !== model && typeof own === 'string') {
      const refusal = isModelName(own) ? this.judgeOwn(own, route, key) : modelNotAvailable('not_listed');
      if (refusal !== null) return refusal;
    }
    for (const member of NAMING_MEMBERS) {
      if (json[member] === undefined) continue;
      const refusal = this.judgeEach(member, modelsIn(member, json), (id) =>
        member === 'models' ? this.judgeOwn(id, route, key) : this.judgeAnywhere(id, route.endpoint, key),
      );
      if (refusal !== null) return refusal;
    }
    return null;
  }

  /** The same for one model that stands elsewhere than in a JSON body; of at most 200 characters. */
  judgeModel(model: string, endpoint: string, key: Pick<KeySnapshot, 'allowedModels'>): GatewayError | null {
    const { obstacle, hint } = this.judgementOf(model, endpoint);
    if (obstacle !== null) return modelNotAvailable(obstacle);
    if (!allowsModel(key.allowedModels, model)) return modelNotAllowed();
    return hint === null ? null : modelEndpointMismatch(hint);
  }

  /** A model that the route runs. It must fit, unless the route takes models of every kind. */
  private judgeOwn(
    model: string,
    { endpoint, judgedAs = endpoint }: Pick<GatewayRouteSpec, 'endpoint' | 'judgedAs'>,
    key: KeySnapshot,
  ): GatewayError | null {
    return judgedAs === null ? this.judgeAnywhere(model, endpoint, key) : this.judgeModel(model, judgedAs, key);
  }

  /** One that a tool or a plugin asks, whatever it is asked for: no route of ours need fit. */
  private judgeAnywhere(model: string, endpoint: string, { allowedModels }: KeySnapshot): GatewayError | null {
    const { obstacle } = this.judgementOf(model, endpoint);
    if (obstacle !== null) return modelNotAvailable(obstacle);
    return allowsModel(allowedModels, model) ? null : modelNotAllowed();
  }

  private judgeEach(
    member: string,
    models: readonly string[],
    judge: (model: string) => GatewayError | null,
  ): GatewayError | null {
    if (models.length > OTHERS_MAX) return invalidValue(member, `one that names at most ${OTHERS_MAX} models`);
    for (const model of models) {
      // No stage after this one looks at these members, so an id too long for any catalog is refused here.
      const refusal = isModelName(model) ? judge(model) : modelNotAvailable('not_listed');
      if (refusal !== null) return refusal;
    }
    return null;
  }

  private judgementOf(model: string, endpoint: string): Judgement {
    // No endpoint holds a blank, so two pairs never make one key.
    const name = `${endpoint} ${model}`;
    const known = this.judgements.get(name);
    if (known !== undefined) return known;
    const state = this.states.of(model);
    const judgement = { obstacle: obstacleOf(state), hint: endpointMismatch(state.facts, judgedEndpoint(endpoint)) };
    // Made-up ids are not kept, and where no catalog tells them apart the memory is bounded all the same.
    if (judgement.obstacle !== null) return judgement;
    if (this.judgements.size >= JUDGEMENTS_MAX) this.judgements.clear();
    this.judgements.set(name, judgement);
    return judgement;
  }
}
