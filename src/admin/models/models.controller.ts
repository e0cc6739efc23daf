import { Param, Post } from '@nestjs/common';
import { ModelProbes } from '../../model-policy/model-probes.service.js';
import type { AdminActor } from '../../request-context/caller-session.js';
import { AdminRoute } from '../../routes/route-spec.js';
import { Actor } from '../actor.decorator.js';
import { AdminController } from '../admin-controller.decorator.js';
import { Answers } from '../answers.decorator.js';
import { ModelIdPipe } from '../model-allowlist/model-id.pipe.js';
import { ProbedModelResponse } from './probed-model.response.dto.js';

const PROBE = '/probe';

/** What the operators do with a model of the upstream's list. */
@AdminController('models')
export class AdminModelsController {
  constructor(private readonly probes: ModelProbes) {}

  // An id may hold slashes, and the router takes a wildcard only at the end of a path (D8).
  @Post('*')
  @AdminRoute({ role: 'admin', pathEnd: PROBE })
  @Answers(200, { summary: 'Probe a model', type: ProbedModelResponse, notFound: 'no model of the list has this id' })
  async probe(@Param('*', new ModelIdPipe('Model not found', PROBE)) model: string, @Actor() actor: AdminActor) {
    return ProbedModelResponse.of(await this.probes.probe(model, actor));
  }
}
