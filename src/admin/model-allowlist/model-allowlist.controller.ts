import { Delete, Get, Param, Post } from '@nestjs/common';
import { ModelAllowlist } from '../../model-policy/model-allowlist.service.js';
import type { AdminActor } from '../../platform/request-context/caller-session.js';
import { ValidBody, ValidQuery } from '../../platform/request-context/context.decorator.js';
import { AdminRoute } from '../../platform/routes/route-spec.js';
import { Actor, AdminController, Responds } from '../admin.decorators.js';
import {
  ListModelAllowlistRequest,
  SetModelPolicyRequest,
  DeletedModelPolicyResponse,
  ModelAllowlistResponse,
  ModelAllowlistRow,
  ModelIdPipe,
} from './model-allowlist.dto.js';

const NO_POLICY = 'This model has no policy';
const NO_POLICY_NOTE = 'the model has no policy.';
const ModelId = () => Param('*', new ModelIdPipe(NO_POLICY));

@AdminController('model-allowlist')
export class ModelAllowlistController {
  constructor(private readonly allowlist: ModelAllowlist) {}

  @Get()
  @AdminRoute({ role: 'viewer' })
  @Responds(200, { summary: 'List models and their policies', type: ModelAllowlistResponse })
  async list(@ValidQuery(ListModelAllowlistRequest) query: ListModelAllowlistRequest) {
    return ModelAllowlistResponse.of(await this.allowlist.list(query, query), query.offset);
  }

  @Post()
  @AdminRoute({ role: 'admin' })
  @Responds(200, { summary: 'Allow or block a model', type: ModelAllowlistRow })
  async set(@ValidBody(SetModelPolicyRequest) body: SetModelPolicyRequest, @Actor() actor: AdminActor) {
    const { model, enabled, note = null } = body;
    return ModelAllowlistRow.of(await this.allowlist.set(model, { enabled, note }, actor));
  }

  @Get('*')
  @AdminRoute({ role: 'viewer' })
  @Responds(200, { summary: 'Get the policy of a model', type: ModelAllowlistRow, notFound: NO_POLICY_NOTE })
  async get(@ModelId() model: string) {
    return ModelAllowlistRow.of(await this.allowlist.find(model));
  }

  @Delete('*')
  @AdminRoute({ role: 'admin' })
  @Responds(200, {
    summary: 'Remove the policy of a model',
    type: DeletedModelPolicyResponse,
    notFound: NO_POLICY_NOTE,
  })
  remove(@ModelId() model: string, @Actor() actor: AdminActor): Promise<DeletedModelPolicyResponse> {
    return this.allowlist.remove(model, actor).then(() => ({ model, deleted: true }));
  }
}
