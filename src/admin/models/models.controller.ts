import { Param, Post } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { ModelProbes, type ProbedModel } from '../../model-policy/model-probes.service.js';
import { AVAILABILITIES, type Availability } from '../../model-policy/registry/model-facts.js';
import type { AdminActor } from '../../platform/request-context/caller-session.js';
import { AdminRoute } from '../../platform/routes/route-spec.js';
import { Actor, AdminController, Responds } from '../admin.decorators.js';
import { ModelIdPipe } from '../model-allowlist/model-allowlist.dto.js';

class ProbedModelResponse {
  @ApiProperty({ example: 'gpt-4o-mini' })
  model: string;

  @ApiProperty({ enum: AVAILABILITIES, example: 'callable', description: 'The new value of `gw_availability`.' })
  availability: Availability;

  @ApiProperty({
    type: 'string',
    format: 'date-time',
    nullable: true,
    example: '2026-07-14T09:30:42.118Z',
    description: 'Time of the verdict that applies. It is older than this request if the probe was inconclusive.',
  })
  probed_at: Date | null;

  static of({ model, availability, probedAt }: ProbedModel): ProbedModelResponse {
    return { model, availability, probed_at: probedAt };
  }
}

const PROBE = '/probe';

@AdminController('models')
export class AdminModelsController {
  constructor(private readonly probes: ModelProbes) {}

  // A model ID can contain slashes, and the router supports a wildcard only at the end of a path (D8).
  @Post('*')
  @AdminRoute({ role: 'admin', pathEnd: PROBE })
  @Responds(200, {
    summary: 'Probe a model',
    type: ProbedModelResponse,
    notFound: 'no model in the catalog has this ID.',
  })
  async probe(@Param('*', new ModelIdPipe('Model not found', PROBE)) model: string, @Actor() actor: AdminActor) {
    return ProbedModelResponse.of(await this.probes.probe(model, actor));
  }
}
