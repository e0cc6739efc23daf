import { applyDecorators, Controller, UseGuards } from '@nestjs/common';
import { ApiBearerAuth, ApiCookieAuth, ApiTags } from '@nestjs/swagger';
import { ReadTurnsGuard } from './read-turns.guard.js';
import { NoInputGuard } from '../request-context/context.decorator.js';

/** A controller under /admin: what all of them refuse, and where the API description shows them. */
export const AdminController = (path: string): ClassDecorator =>
  applyDecorators(
    Controller(`admin/${path}`),
    UseGuards(NoInputGuard, ReadTurnsGuard),
    ApiTags(`admin/${path}`),
    ApiBearerAuth('admin_key'),
    ApiCookieAuth('session_cookie'),
  );
