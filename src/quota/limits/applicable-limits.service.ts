import { Injectable } from '@nestjs/common';
import { modelsIn, modelsInside } from '../../platform/json/models-in-body.js';
import { MODEL_FIELDS } from '../../platform/json/model-fields.data.js';
import type { Api } from '../../platform/config/upstreams/upstreams-file.js';
import { UpstreamCandidates } from '../../model-policy/upstream-candidates.service.js';
import type { LimitedRequest } from '../../platform/request-context/reservation.js';
import type { ActiveLimit } from './limit.js';
import { DEFAULT_FALLBACKS } from './estimate/fallback-models.js';
import { leavesModelOpen, runsModel } from './estimate/route-estimates.js';
import { LimitSet } from './limit-set.service.js';

const NONE: readonly ActiveLimit[] = [];
/** A batch can name a model per request. Beyond this number, all limits for specific models apply. */
const MODELS_MAX = 64;

/**
 * Finds the limits of one request. A limit for specific models applies if the request can use one of them. Otherwise, a fallback, an
 * alias or a stored prompt would evade the limit.
 */
@Injectable()
export class ApplicableLimits {
  constructor(
    readonly set: LimitSet,
    private readonly candidates: UpstreamCandidates,
  ) {}

  get version(): number {
    return this.set.version;
  }

  /** Returns them in the order of `LimitSet.of`. The body is searched only if a limit of the key has patterns. */
  of(request: LimitedRequest): readonly ActiveLimit[] {
    const { key } = request;
    return this.set.isEmpty || key === null ? NONE : this.set.of(key, () => this.modelsOf(request));
  }

  /** The models that can serve a request for `model` by its route's fallbacks: as configured, and as sent. */
  fallbacksOf(model: string | null, api: Api): readonly string[] {
    if (model === null) return [];
    return this.candidates.fallbacksOf(model, api).flatMap((candidate) => [candidate.requested, candidate.model]);
  }

  /**
   * The models that a request can use: its model, those that aliases stand for, and those inside its body, such as fallbacks. The
   * fallbacks of its route count too.
   * Null if the provider chooses: the request names no main model, or asks for default fallbacks.
   */
  private modelsOf({ method, route, model, body }: LimitedRequest): ReadonlySet<string> | null {
    const models = new Set<string>();
    if (route?.kind !== 'gateway') return models;
    const { json } = body;
    const runs = runsModel(route, method);
    if (runs && leavesModelOpen(route, model, json)) return null;
    if (model !== null) {
      models.add(model);
      for (const candidate of this.candidates.of(model, route.api).candidates) models.add(candidate.model);
      for (const fallback of this.fallbacksOf(model, route.api)) models.add(fallback);
    }
    if (json !== null && !addNamed(models, json, body.namesModelsInside)) return null;
    return runs && models.size === 0 ? null : models;
  }
}

/** Returns false if the request can use any model. */
function addNamed(models: Set<string>, json: NonNullable<LimitedRequest['body']['json']>, inside: boolean): boolean {
  for (const field of MODEL_FIELDS) {
    if (json[field] === undefined) continue;
    if (!addAll(models, modelsIn(field, json))) return false;
  }
  if (!inside) return true;
  const { models: nested, providerChooses } = modelsInside(json);
  return !providerChooses && addAll(models, nested);
}

function addAll(models: Set<string>, named: readonly string[]): boolean {
  for (const name of named) {
    models.add(name);
    if (name === DEFAULT_FALLBACKS || models.size > MODELS_MAX) return false;
  }
  return true;
}
