import { applyDecorators, Controller, createParamDecorator, HttpCode, type Type, UseGuards } from '@nestjs/common';
import { ApiBearerAuth, ApiCookieAuth, ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { contextOf, NoInputGuard } from '../platform/request-context/context.decorator.js';
import { OperatorReadLimitGuard } from './operator-read-limit.guard.js';

export const AdminController = (path: string): ClassDecorator =>
  applyDecorators(
    Controller(`admin/${path}`),
    UseGuards(NoInputGuard, OperatorReadLimitGuard),
    ApiTags(`admin/${path}`),
    ApiBearerAuth('admin_key'),
    ApiCookieAuth('session_cookie'),
  );

interface ResponseSpec {
  readonly summary: string;
  readonly type?: Type;
  readonly notFound?: string;
}

export const Responds = (status: 200 | 201 | 202 | 204, { summary, type, notFound }: ResponseSpec): MethodDecorator =>
  applyDecorators(
    HttpCode(status),
    ApiOperation({ summary }),
    ApiResponse({ status, type }),
    ...(notFound === undefined ? [] : [ApiResponse({ status: 404, description: `\`not_found\`: ${notFound}` })]),
  );

/** The actor of the request, for the audit row. The admin guard guarantees that there is one. */
export const Actor = createParamDecorator((_data: unknown, host) => contextOf(host).actor);

/** Null for a request with the admin key */
export const Caller = createParamDecorator((_data: unknown, host) => contextOf(host).session);

export const CREATED_BY = {
  description: "The operator's ID, `admin_key`, or `system` for the command line.",
  example: 'admin_key',
} as const;
