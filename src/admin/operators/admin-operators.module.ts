import { Module } from '@nestjs/common';
import { OperatorsModule } from '../../operators/operators.module.js';
import { OperatorReadLimitModule } from '../../fairness/operator-read-limit.guard.js';
import { OperatorsController } from './operators.controller.js';

/**
 * /admin/operators: reads and shows what `operators` does. Apart, because its routes alone are for owners. Refuses input
 * as `validation_error`; a change that would leave no owner is refused by `operators`.
 */
@Module({ imports: [OperatorsModule, OperatorReadLimitModule], controllers: [OperatorsController] })
export class AdminOperatorsModule {}
