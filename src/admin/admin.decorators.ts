import { applyDecorators, Controller, createParamDecorator, HttpCode, type Type, UseGuards } from '@nestjs/common';
import { ApiBearerAuth, ApiCookieAuth, ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { contextOf, NoInputGuard } from '../request-context/context.decorator.js';
import { OperatorReadLimitGuard } from '../fairness/operator-read-limit.guard.js';

/** A controller under /admin: the guards that all of them have, and its place in the API description. */
export const AdminController = (path: string): ClassDecorator =>
  applyDecorators(
    Controller(`admin/${path}`),
    UseGuards(NoInputGuard, OperatorReadLimitGuard),
    ApiTags(`admin/${path}`),
    ApiBearerAuth('admin_key'),
    ApiCookieAuth('session_cookie'),
  );

interface Answer {
  readonly summary: string;
  /** Class of the response body; left out: none (204). */
  readonly type?: Type;
  /** When the response is 404 `not_found`; left out: never. */
  readonly notFound?: string;
}

/** The status of a handler's response, and its text in the API description. */
export const Answers = (status: 200 | 201 | 202 | 204, { summary, type, notFound }: Answer): MethodDecorator =>
  applyDecorators(
    HttpCode(status),
    ApiOperation({ summary }),
    ApiResponse({ status, type }),
    ...(notFound === undefined ? [] : [ApiResponse({ status: 404, description: `\`not_found\`: ${notFound}` })]),
  );

/** Passes the actor of the call to a handler, for the audit row. Behind the admin guard there always is one. */
export const Actor = createParamDecorator((_data: unknown, host) => contextOf(host).actor);

/** Passes the session of the call to a handler; null for a call with the admin key. */
export const Caller = createParamDecorator((_data: unknown, host) => contextOf(host).session);
