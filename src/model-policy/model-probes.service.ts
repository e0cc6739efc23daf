import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { notFound } from '../errors/catalogue.js';
import type { AdminActor } from '../request-context/caller-session.js';
import { shownAvailability } from './availability.rules.js';
import { ModelCatalog } from './catalog.service.js';
import { ModelStates } from './model-states.service.js';
import { ProbeVerdicts, isRunKept } from './probe-verdicts.service.js';
import { type ProbeAnswer, UpstreamProbe } from './probe/upstream-probe.js';
import type { Availability } from './registry/model-facts.js';

/** Requests of a run that are under way at the same time. */
const LANES = 4;
/** After each of them: a run is no burst. */
const PAUSE_MS = 250;

export interface ProbedModel {
  readonly model: string;
  /** As the list shows it from now on. */
  readonly availability: Availability;
  /** When the verdict was found that holds now; null: no probe has ever told anything of this model. */
  readonly probedAt: Date | null;
}

interface ProbeRun {
  readonly models: number;
  /** Those that did not answer as they should, for whatever reason. */
  readonly failed: number;
  /** Whether the verdicts were kept: `isRunKept`. */
  readonly stored: boolean;
}

/** Live probes (D12): whether the upstream really answers for a model that it lists. */
@Injectable()
export class ModelProbes {
  constructor(
    private readonly catalog: ModelCatalog,
    private readonly states: ModelStates,
    private readonly upstream: UpstreamProbe,
    private readonly verdicts: ProbeVerdicts,
  ) {}

  /**
   * Probes one model and keeps the verdict; a failure that tells nothing of the model leaves what was there.
   * @throws GatewayError `not_found` for a model that the upstream does not list, and without any copy of its list for
   * one that nobody here knows
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
   * Probes every model of the list but the realtime ones, some at a time, and keeps all verdicts or none.
   * @param signal ends the run: nothing is kept
   * @throws where the verdicts cannot be written, or `signal` has ended it
   */
  async probeAll(actor: AdminActor, signal: AbortSignal): Promise<ProbeRun> {
    await this.states.whenReady();
    const models = [...(this.catalog.copy?.keys() ?? [])].filter(
      (model) => this.states.of(model).facts?.category !== 'realtime',
    );
    const answers = await this.askAll(models, signal);
    const failed = [...answers.values()].filter(({ verdict }) => verdict !== 'callable').length;
    const stored = isRunKept({ models: models.length, failed });
    if (stored) await this.verdicts.recordRun(answers, actor);
    return { models: models.length, failed, stored };
  }

  private async askAll(models: readonly string[], signal: AbortSignal): Promise<Map<string, ProbeAnswer>> {
    const answers = new Map<string, ProbeAnswer>();
    const left = models.values();
    const lane = async () => {
      for (const model of left) {
        answers.set(model, await this.upstream.ask(model));
        await pause(PAUSE_MS, undefined, { signal });
      }
    };
    await Promise.all(Array.from({ length: LANES }, lane));
    return answers;
  }
}
