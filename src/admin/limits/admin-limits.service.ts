import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock.js';
import { dayOf, daysBetween } from '../../costs/days.rules.js';
import type { Days } from '../../costs/days.rules.js';
import { invalidInput } from '../../platform/errors/error-factories.js';
import { LimitFiguresReads } from '../../quota/limits/limit-figures.read-model.js';
import { LimitList } from '../../quota/limits/limit-list.read-model.js';
import { LimitSimulations } from '../../quota/limits/limit-simulations.service.js';
import { limitOrNotFound, LimitsService } from '../../quota/limits/limits.service.js';
import type { AdminActor } from '../../platform/request-context/caller-session.js';
import { usageRange } from '../../stats/reports/usage-range.rules.js';
import { parseTimestamp } from '../../platform/validation/timestamp.js';
import { limitCsv } from './limit-csv.js';
import { SimulationResponse } from './limit-simulation.dto.js';
import { limitTermsOf, limitChangesReader } from './limit-input.js';
import { type CreateLimitRequest, type SimulateLimitRequest } from './limit.request.dto.js';
import { limitFilterOf, type ListLimitsRequest } from './limit-list.request.dto.js';
import { LimitListResponse, LimitResponse } from './limit.response.dto.js';

const CSV_ROWS_MAX = 20_000;
const SIMULATED_DAYS_MAX = 366;

/** Limits, as the Admin API and the command line read and show them. */
@Injectable()
export class AdminLimits {
  constructor(
    private readonly limits: LimitsService,
    private readonly figures: LimitFiguresReads,
    private readonly listed: LimitList,
    private readonly simulations: LimitSimulations,
    private readonly clock: Clock,
  ) {}

  async list(query: ListLimitsRequest): Promise<LimitListResponse> {
    const { sort, limit, offset } = query;
    return LimitListResponse.of(await this.listed.read({ filter: limitFilterOf(query), sort, limit, offset }), offset);
  }

  /** Returns all matching limits. @throws GatewayError `validation_error` if there are more than 20,000 */
  async csv(query: ListLimitsRequest): Promise<string> {
    const page = { limit: CSV_ROWS_MAX, offset: 0 };
    const { total, limits } = await this.listed.read({ filter: limitFilterOf(query), sort: query.sort, ...page });
    if (total > CSV_ROWS_MAX)
      throw invalidInput('scope', 'a narrower filter, because the file would have more than 20,000 rows');
    return limitCsv(limits.map((limit) => LimitResponse.of(limit)));
  }

  /** @throws GatewayError `not_found` */
  async get(id: number): Promise<LimitResponse> {
    const [read] = await this.figures.of([id]);
    return LimitResponse.of(limitOrNotFound(read));
  }

  /** @throws GatewayError `validation_error` */
  async create(body: CreateLimitRequest, actor: AdminActor): Promise<LimitResponse> {
    const { id } = await this.limits.create(limitTermsOf(body), actor);
    return this.get(id);
  }

  /** @param body is not checked, because its rules depend on the stored limit. @throws GatewayError `validation_error`, `not_found` */
  async update(id: number, body: unknown, actor: AdminActor): Promise<LimitResponse> {
    await this.limits.update(id, limitChangesReader(body), actor);
    return this.get(id);
  }

  /** @throws GatewayError `validation_error`, `not_found` */
  async reset(id: number, actor: AdminActor): Promise<LimitResponse> {
    await this.limits.reset(id, actor);
    return this.get(id);
  }

  /** @throws GatewayError `validation_error` */
  async simulate(draft: SimulateLimitRequest): Promise<SimulationResponse> {
    const days = daysOf(draft, this.clock.now());
    return SimulationResponse.of(await this.simulations.run(limitTermsOf(draft), days), days);
  }
}

/** The days to simulate: by default, 30 days that end today. @throws GatewayError `validation_error` */
function daysOf({ since, until }: SimulateLimitRequest, nowMs: number): Days {
  const [fromMs, toMs] = [since, until].map((text) => (text === undefined ? undefined : parseTimestamp(text)!));
  if (toMs !== undefined && toMs > nowMs) throw invalidInput('until', 'a time that is not in the future');
  if (fromMs !== undefined && fromMs > nowMs) throw invalidInput('since', 'a time that is not in the future');
  if (fromMs !== undefined && toMs !== undefined && dayOf(fromMs) > dayOf(toMs))
    throw invalidInput('since', `a day that is not after 'until'`);
  const days = usageRange(fromMs, toMs, nowMs);
  if (daysBetween(days.from, days.to) > SIMULATED_DAYS_MAX)
    throw invalidInput('since', `a later day: at most ${SIMULATED_DAYS_MAX} days are simulated`);
  return days;
}
