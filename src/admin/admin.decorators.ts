import { applyDecorators, Controller, createParamDecorator, HttpCode, type Type, UseGuards } from '@nestjs/common';
import { ApiBearerAuth, ApiCookieAuth, ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { contextOf, NoInputGuard } from '../request-context/context.decorator.js';
import { OperatorReadLimitGuard } from '../fairness/operator-read-limit.guard.js';

/** A controller under /admin, with the common guards and the OpenAPI tag. */
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
  /** Class of the response body. Absent if the response has none. */
  readonly type?: Type;
  /** The condition for 404 `not_found`. Absent if the route never returns it. */
  readonly notFound?: string;
}

/** Sets the status of a handler's response, and describes it in the OpenAPI document. */
export const Answers = (status: 200 | 201 | 202 | 204, { summary, type, notFound }: Answer): MethodDecorator =>
  applyDecorators(
    HttpCode(status),
    ApiOperation({ summary }),
    ApiResponse({ status, type }),
    ...(notFound === undefined ? [] : [ApiResponse({ status: 404, description: `\`not_found\`: ${notFound}` })]),
  );

/** Injects the actor of the request, for the audit row. The admin guard guarantees that there is one. */
export const Actor = createParamDecorator((_data: unknown, host) => contextOf(host).actor);

/** Injects the session of the request. Null for a request with the admin key. */
export const Caller = createParamDecorator((_data: unknown, host) => contextOf(host).session);
