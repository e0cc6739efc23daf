import { applyDecorators, Controller, UseGuards } from '@nestjs/common';
import { ApiBearerAuth, ApiCookieAuth, ApiTags } from '@nestjs/swagger';
import { OperatorReadLimitGuard } from '../fairness/operator-read-limit.guard.js';
import { NoInputGuard } from '../request-context/no-input.guard.js';

/** A controller under /admin: what all of them refuse, and where the API description shows them. */
export const AdminController = (path: string): ClassDecorator =>
  applyDecorators(
    Controller(`admin/${path}`),
    UseGuards(NoInputGuard, OperatorReadLimitGuard),
    ApiTags(`admin/${path}`),
    ApiBearerAuth('admin_key'),
    ApiCookieAuth('session_cookie'),
  );
