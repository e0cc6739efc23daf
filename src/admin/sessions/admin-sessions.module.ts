import { Module } from '@nestjs/common';
import { OperatorsModule } from '../../operators/operators.module.js';
import { OperatorReadLimitModule } from '../../fairness/operator-read-limit.guard.js';
import { SessionsController } from './sessions.controller.js';

/**
 * /admin/sessions: who is signed in, and ending that. Apart from /admin/operators, because everybody may see and end
 * their own. Somebody else's session is 404 for whoever is no owner, like one that is not there.
 */
@Module({ imports: [OperatorsModule, OperatorReadLimitModule], controllers: [SessionsController] })
export class AdminSessionsModule {}
