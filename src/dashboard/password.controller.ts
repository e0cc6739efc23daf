import { Controller, Post, UseGuards } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { OperatorsService } from '../operators/operators.service.js';
import { Context, NoInputGuard } from '../request-context/context.decorator.js';
import { ValidBody } from '../request-context/operator-input.decorators.js';
import type { RequestContext } from '../request-context/request-context.js';
import { DashboardRoute } from '../routes/route-spec.js';
import { ChangePasswordDoc } from './dashboard.doc.js';
import { ChangePasswordRequest } from './session.dto.js';

@ApiTags('dashboard')
@Controller('dashboard/password')
@UseGuards(NoInputGuard)
export class DashboardPasswordController {
  constructor(private readonly operators: OperatorsService) {}

  @Post()
  @DashboardRoute({ session: 'required' })
  @ChangePasswordDoc()
  change(@ValidBody(ChangePasswordRequest) body: ChangePasswordRequest, @Context() ctx: RequestContext) {
    const { id } = ctx.session!.operator;
    return this.operators.changeOwnPassword(id, body.current_password, body.new_password, ctx.actor!);
  }
}
