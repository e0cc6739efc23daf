import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { notFound } from '../platform/errors/error-factories.js';
import type { AdminActor } from '../platform/request-context/caller-session.js';
import { shownAvailability } from './availability.rules.js';
import { ModelCatalog } from './catalog.service.js';
import { ModelStates } from './model-states.service.js';
import { ProbeVerdicts } from './probe-verdicts.service.js';
import { type ProbeResponse, UpstreamProbe } from './probe/upstream-probe.js';
import type { Availability } from './registry/model-facts.js';

const CONCURRENT_PROBES = 4;
/** Pause after each probe, to avoid a burst. */
const PAUSE_MS = 250;

export interface ProbedModel {
  readonly model: string;
  readonly availability: Availability;
  readonly probedAt: Date | null;
}

interface ProbeRun {
  readonly models: number;
  readonly failed: number;
  readonly stored: boolean;
}

/** Sends live probes (D12), which check that a listed model really responds. `ProbeVerdicts` stores the results. */
@Injectable()
export class ModelProbes {
  constructor(
    private readonly catalog: ModelCatalog,
    private readonly states: ModelStates,
    private readonly upstream: UpstreamProbe,
    private readonly verdicts: ProbeVerdicts,
  ) {}

  /**
   * Probes one model and stores the verdict. A failure that is not about the model keeps the earlier verdict.
   * @throws GatewayError `not_found` if the model is not listed; without a catalog, if neither registry nor policy contains it
   */
  async probe(model: string, actor: AdminActor): Promise<ProbedModel> {
    await this.states.whenReady();
    const { listed, facts, enabled } = this.states.of(model);
    if (listed === false || (listed === null && facts === null && enabled === undefined)) {
      throw notFound('Model not found');
    }
    await this.verdicts.record(model, await this.upstream.ask(model), actor);
    const probedAt = this.verdicts.of(model)?.probedAt ?? null;
    return { model, availability: shownAvailability(this.states.of(model)), probedAt };
  }

  /**
   * Probes all listed models except realtime ones, and stores all verdicts or none.
   * @param signal ends the run without storing anything, and makes it throw
   */
  async probeAll(actor: AdminActor, signal: AbortSignal): Promise<ProbeRun> {
    await this.states.whenReady();
    const models = [...(this.catalog.copy?.keys() ?? [])].filter(
      (model) => this.states.of(model).facts?.category !== 'realtime',
    );
    const responses = await this.probeEach(models, signal);
    const failed = [...responses.values()].filter(({ verdict }) => verdict !== 'callable').length;
    // If more probes failed, the upstream has probably failed, not the models (D12).
    const stored = models.length > 0 && failed * 2 <= models.length;
    if (stored) await this.verdicts.recordRun(responses, actor);
    return { models: models.length, failed, stored };
  }

  private async probeEach(models: readonly string[], signal: AbortSignal): Promise<Map<string, ProbeResponse>> {
    const responses = new Map<string, ProbeResponse>();
    const remaining = models.values();
    const probeRemaining = async () => {
      for (const model of remaining) {
        responses.set(model, await this.upstream.ask(model));
        await pause(PAUSE_MS, undefined, { signal });
      }
    };
    await Promise.all(Array.from({ length: CONCURRENT_PROBES }, probeRemaining));
    return responses;
  }
}
