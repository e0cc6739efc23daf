import { Delete, Get, Patch, Post } from '@nestjs/common';
import { LimitAlerts } from '../../quota/limits/limit-alerts.read-model.js';
import { LimitsService } from '../../quota/limits/limits.service.js';
import { TopUps } from '../../quota/limits/top-ups.service.js';
import type { AdminActor } from '../../platform/request-context/caller-session.js';
import { UncheckedBody, ValidNestedBody, ValidQuery } from '../../platform/request-context/context.decorator.js';
import { AdminRoute } from '../../platform/routes/route-spec.js';
import { Actor, AdminController, Responds } from '../admin.decorators.js';
import { csvDownload } from '../csv-download.js';
import { PageRequest } from '../page.dto.js';
import { LimitAlertListResponse } from './limit-alert.dto.js';
import { TopUpListResponse, TopUpResponse } from './top-up.dto.js';
import { SimulationResponse } from './limit-simulation.dto.js';
import { LimitId, TopUpId } from '../id.pipes.js';
import { topUpReader } from './limit-input.js';
import {
  CreateLimitRequest,
  CreateTopUpRequest,
  SimulateLimitRequest,
  UpdateLimitRequest,
} from './limit.request.dto.js';
import { ListLimitsRequest } from './limit-list.request.dto.js';
import { LimitListResponse, LimitResponse } from './limit.response.dto.js';
import { AdminLimits } from './admin-limits.service.js';
import { DeletedNumberedResponse } from '../deleted.dto.js';

const UNKNOWN = 'no limit has this ID.';

@AdminController('limits')
export class LimitsController {
  constructor(
    private readonly adminLimits: AdminLimits,
    private readonly limits: LimitsService,
  ) {}

  @Get()
  @AdminRoute({ role: 'viewer' })
  @Responds(200, { summary: 'List limits with their figures', type: LimitListResponse, csv: true })
  async list(@ValidQuery(ListLimitsRequest) query: ListLimitsRequest) {
    return query.format === 'csv'
      ? csvDownload(await this.adminLimits.csv(query), 'limits.csv')
      : this.adminLimits.list(query);
  }

  @Post()
  @AdminRoute({ role: 'admin' })
  @Responds(201, { summary: 'Create a limit', type: LimitResponse })
  create(@ValidNestedBody(CreateLimitRequest) body: CreateLimitRequest, @Actor() actor: AdminActor) {
    return this.adminLimits.create(body, actor);
  }

  @Post('simulate')
  @AdminRoute({ role: 'admin' })
  @Responds(200, { summary: 'Show what a limit would have refused', type: SimulationResponse })
  simulate(@ValidNestedBody(SimulateLimitRequest) body: SimulateLimitRequest) {
    return this.adminLimits.simulate(body);
  }

  @Get(':id')
  @AdminRoute({ role: 'viewer' })
  @Responds(200, { summary: 'Get a limit', type: LimitResponse, notFound: UNKNOWN })
  get(@LimitId() id: number) {
    return this.adminLimits.get(id);
  }

  @Patch(':id')
  @AdminRoute({ role: 'admin' })
  @Responds(200, { summary: 'Update a limit', type: LimitResponse, notFound: UNKNOWN })
  update(
    @LimitId() id: number,
    @UncheckedBody(UpdateLimitRequest, { amount: '300.00' }) body: object,
    @Actor() actor: AdminActor,
  ) {
    return this.adminLimits.update(id, body, actor);
  }

  @Delete(':id')
  @AdminRoute({ role: 'admin' })
  @Responds(200, { summary: 'Delete a limit', type: DeletedNumberedResponse, notFound: UNKNOWN })
  remove(@LimitId() id: number, @Actor() actor: AdminActor): Promise<DeletedNumberedResponse> {
    return this.limits.delete(id, actor).then(() => ({ id, deleted: true }));
  }

  @Post(':id/reset')
  @AdminRoute({ role: 'admin' })
  @Responds(200, { summary: 'Start a new period of a limit now', type: LimitResponse, notFound: UNKNOWN })
  reset(@LimitId() id: number, @Actor() actor: AdminActor) {
    return this.adminLimits.reset(id, actor);
  }
}

@AdminController('limits')
export class LimitHistoryController {
  constructor(
    private readonly topUps: TopUps,
    private readonly alerts: LimitAlerts,
  ) {}

  @Get(':id/top-ups')
  @AdminRoute({ role: 'viewer' })
  @Responds(200, { summary: 'List the top-ups of a limit', type: TopUpListResponse, notFound: UNKNOWN })
  async listTopUps(@LimitId() id: number, @ValidQuery(PageRequest) query: PageRequest) {
    return TopUpListResponse.of(await this.topUps.list(id, query), query.offset);
  }

  @Post(':id/top-ups')
  @AdminRoute({ role: 'admin' })
  @Responds(201, { summary: 'Raise a limit temporarily', type: TopUpResponse, notFound: UNKNOWN })
  async topUp(@LimitId() id: number, @UncheckedBody(CreateTopUpRequest) body: object, @Actor() actor: AdminActor) {
    return TopUpResponse.of(await this.topUps.add(id, topUpReader(body), actor));
  }

  @Delete(':id/top-ups/:top_up_id')
  @AdminRoute({ role: 'admin' })
  @Responds(200, {
    summary: 'Delete a top-up',
    type: DeletedNumberedResponse,
    notFound: 'no limit has this ID, or the limit has no such top-up.',
  })
  removeTopUp(
    @LimitId() limitId: number,
    @TopUpId() id: number,
    @Actor() actor: AdminActor,
  ): Promise<DeletedNumberedResponse> {
    return this.topUps.delete(limitId, id, actor).then(() => ({ id, deleted: true }));
  }

  @Get(':id/alerts')
  @AdminRoute({ role: 'viewer' })
  @Responds(200, { summary: 'List the alerts of a limit', type: LimitAlertListResponse, notFound: UNKNOWN })
  async listAlerts(@LimitId() id: number, @ValidQuery(PageRequest) query: PageRequest) {
    return LimitAlertListResponse.of(await this.alerts.list(id, query), query.offset);
  }
}
