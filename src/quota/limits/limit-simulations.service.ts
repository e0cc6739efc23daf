import { Injectable } from '@nestjs/common';
import type { Days } from '../../costs/days.rules.js';
import { LimitsService } from './limits.service.js';
import type { LimitTerms } from './limit.js';
import { isSimulable, simulatePeriods, simulateRollingDays, type SimulatedPeriod } from './simulation.rules.js';
import { LimitUsage } from './stores/limit-usage.store.js';

export interface Simulation {
  readonly terms: LimitTerms;
  /** Null if the period cannot be simulated. */
  readonly periods: readonly SimulatedPeriod[] | null;
  readonly requests: number;
  /** The usage with which the limit would start now, in its unit. */
  readonly startsWith: bigint;
}

/** Computes what a limit would have rejected. It does not change anything. */
@Injectable()
export class LimitSimulations {
  constructor(
    private readonly limits: LimitsService,
    private readonly usage: LimitUsage,
  ) {}

  /** @throws GatewayError `validation_error`, in the same cases as the creation of the limit */
  async run(draft: LimitTerms, { from, to }: Days): Promise<Simulation> {
    const terms = await this.limits.checkDraft(draft);
    const days = await this.usage.daysOf(terms, from, to);
    const { periods, startsWith } = await this.usage.periodsOf(terms, from, to);
    const requests = days.reduce((sum, day) => sum + day.requests, 0);
    const basis = { terms, requests, startsWith };
    if (!isSimulable(terms.period, terms.measure === 'concurrent_requests')) return { ...basis, periods: null };
    if (terms.period === 'rolling_7d') return { ...basis, periods: simulateRollingDays(days, terms.amount) };
    return { ...basis, periods: simulatePeriods(days, periods, terms) };
  }
}
