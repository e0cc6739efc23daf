import { Module } from '@nestjs/common';
import { OperatorsModule } from '../operators/operators.module.js';
import { PageController } from './page/page.controller.js';
import { PageService } from './page/page.service.js';
import { DashboardPasswordController } from './password.controller.js';
import { DashboardSessionController } from './session.controller.js';

/**
 * The edge /dashboard: the built page, sign-in, sign-out, and a change of one's own password. Everything else that the page
 * does is a call of /admin. It is separate because callers become known only here; `operators` owns passwords and sessions.
 * A failed sign-in is 401 or 429, one from another site 403. Without a build the page is 404 with the command to build it.
 */
@Module({
  imports: [OperatorsModule],
  controllers: [DashboardSessionController, DashboardPasswordController, PageController],
  providers: [PageService],
})
export class DashboardModule {}
