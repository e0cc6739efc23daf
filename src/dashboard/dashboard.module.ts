import { Module } from '@nestjs/common';
import { OperatorsModule } from '../operators/operators.module.js';
import { PageModule } from './page/page.module.js';
import { DashboardPasswordController } from './password.controller.js';
import { DashboardSessionController } from './session.controller.js';

/**
 * The edge /dashboard: signing in, signing out, one's own password. All else that the dashboard does goes through /admin.
 * Apart from it, because here alone somebody becomes known; what comes in is judged by the guards of `auth`, the
 * passwords and sessions are `operators`'. Refuses with 401 and 429 where a sign-in fails, with 403 where a page
 * elsewhere tries one.
 */
@Module({
  imports: [OperatorsModule, PageModule],
  controllers: [DashboardSessionController, DashboardPasswordController],
})
export class DashboardModule {}
