import { Module } from '@nestjs/common';
import { OperatorsModule } from '../../operators/operators.module.js';
import { ReadTurnsModule } from '../read-turns.module.js';
import { OperatorsController } from './operators.controller.js';

/**
 * /admin/operators: reads and shows what `operators` does. Apart, because its routes alone are for owners. Refuses input
 * as `validation_error`; a change that would leave no owner is refused by `operators`.
 */
@Module({ imports: [OperatorsModule, ReadTurnsModule], controllers: [OperatorsController] })
export class AdminOperatorsModule {}
