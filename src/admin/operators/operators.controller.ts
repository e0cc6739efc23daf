import { Delete, Get, Param, Patch, Post } from '@nestjs/common';
import { OperatorsService } from '../../auth/operators/operators.service.js';
import type { AdminActor } from '../../platform/request-context/caller-session.js';
import { ValidBody, ValidQuery } from '../../platform/request-context/context.decorator.js';
import { AdminRoute } from '../../platform/routes/route-spec.js';
import { Actor, AdminController, Responds } from '../admin.decorators.js';
import { UuidPipe } from '../id.pipes.js';
import {
  CreateOperatorRequest,
  SetPasswordRequest,
  UpdateOperatorRequest,
  OperatorListResponse,
  OperatorResponse,
} from './operator.dto.js';
import { PageRequest } from '../page.dto.js';
import { DeletedResourceResponse } from '../deleted.dto.js';

const OperatorId = () => Param('id', new UuidPipe('Operator not found'));
const UNKNOWN = 'no operator has this ID.';

@AdminController('operators')
export class OperatorsController {
  constructor(private readonly operators: OperatorsService) {}

  @Get()
  @AdminRoute({ role: 'owner' })
  @Responds(200, { summary: 'List operators', type: OperatorListResponse })
  async list(@ValidQuery(PageRequest) query: PageRequest) {
    return OperatorListResponse.of(await this.operators.list(query), query.offset);
  }

  @Post()
  @AdminRoute({ role: 'owner' })
  @Responds(201, { summary: 'Create an operator', type: OperatorResponse })
  async create(@ValidBody(CreateOperatorRequest) body: CreateOperatorRequest, @Actor() actor: AdminActor) {
    return OperatorResponse.of(await this.operators.create(body, actor));
  }

  @Patch(':id')
  @AdminRoute({ role: 'owner' })
  @Responds(200, { summary: 'Update an operator', type: OperatorResponse, notFound: UNKNOWN })
  async update(
    @OperatorId() id: string,
    @ValidBody(UpdateOperatorRequest, { name: 'Ada Lovelace' }) body: UpdateOperatorRequest,
    @Actor() actor: AdminActor,
  ) {
    return OperatorResponse.of(await this.operators.update(id, body, actor));
  }

  @Delete(':id')
  @AdminRoute({ role: 'owner' })
  @Responds(200, { summary: 'Delete an operator', type: DeletedResourceResponse, notFound: UNKNOWN })
  remove(@OperatorId() id: string, @Actor() actor: AdminActor): Promise<DeletedResourceResponse> {
    return this.operators.delete(id, actor).then(() => ({ id, deleted: true }));
  }

  @Post(':id/password')
  @AdminRoute({ role: 'owner' })
  @Responds(204, { summary: 'Set the password of an operator and end all of their sessions', notFound: UNKNOWN })
  setPassword(
    @OperatorId() id: string,
    @ValidBody(SetPasswordRequest) body: SetPasswordRequest,
    @Actor() actor: AdminActor,
  ): Promise<void> {
    return this.operators.setPassword(id, body.new_password, actor);
  }
}
