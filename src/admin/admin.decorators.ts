import { applyDecorators, Controller, createParamDecorator, HttpCode, type Type, UseGuards } from '@nestjs/common';
import {
  ApiBearerAuth,
  ApiCookieAuth,
  ApiExtraModels,
  ApiOperation,
  ApiResponse,
  ApiTags,
  getSchemaPath,
} from '@nestjs/swagger';
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
  readonly description?: string;
  /** The cases in which the route returns `not_found`. */
  readonly notFound?: string;
  /** For routes outside /admin. `AdminController` covers the others. */
  readonly needsCookie?: true;
  /** The route returns a CSV file. With a `type`, the caller chooses between JSON and CSV. */
  readonly csv?: true;
}

export function Responds(status: 200 | 201 | 202 | 204, spec: ResponseSpec): MethodDecorator {
  const { summary, type, description, notFound, needsCookie, csv } = spec;
  return applyDecorators(
    HttpCode(status),
    ApiOperation({ summary }),
    ApiResponse({ status, description, ...(csv === undefined ? { type } : { content: csvContent(type) }) }),
    ...(csv === undefined || type === undefined ? [] : [ApiExtraModels(type)]),
    ...(notFound === undefined ? [] : [ApiResponse({ status: 404, description: `\`not_found\`: ${notFound}` })]),
    ...(needsCookie === undefined ? [] : [ApiCookieAuth('session_cookie')]),
  );
}

const csvContent = (type?: Type) => ({
  ...(type !== undefined && { 'application/json': { schema: { $ref: getSchemaPath(type) } } }),
  'text/csv': { schema: { type: 'string' } },
});

/** The actor of the request, for the audit row. The admin guard guarantees that there is one. */
export const Actor = createParamDecorator((_data: unknown, host) => contextOf(host).actor);

/** The session of the request, or null for a request with the admin key. */
export const Caller = createParamDecorator((_data: unknown, host) => contextOf(host).session);

export const CREATED_BY = {
  description: "The operator's ID, `admin_key`, or `system` for the command line.",
  example: 'admin_key',
} as const;
