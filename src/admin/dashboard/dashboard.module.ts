import { Module } from '@nestjs/common';
import { OperatorsModule } from '../../auth/operators/operators.module.js';
import { DashboardSessions } from './dashboard-sessions.service.js';
import { PageController } from './page/page.controller.js';
import { PageService } from './page/page.service.js';
import { DashboardPasswordController, DashboardSessionController } from './session.controller.js';

/**
 * The routes under /dashboard: the built page, sign-in, sign-out and changing your own password. The page uses /admin for
 * everything else. The module is separate because operators sign in only here. `operators` owns passwords and sessions.
 *
 * A failed sign-in returns 401 or 429, and a sign-in from another site returns 403. Without a build, the page returns 404 and names the build
 * command.
 */
@Module({
  imports: [OperatorsModule],
  controllers: [DashboardSessionController, DashboardPasswordController, PageController],
  providers: [DashboardSessions, PageService],
})
export class DashboardModule {}
