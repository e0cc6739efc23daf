import { applyDecorators, Controller, createParamDecorator, HttpCode, type Type, UseGuards } from '@nestjs/common';
import { ApiBearerAuth, ApiCookieAuth, ApiOperation, ApiResponse, ApiTags, ApiBody } from '@nestjs/swagger';
import { contextOf, NoInputGuard, declareInput, ParsedBody } from '../platform/request-context/context.decorator.js';
import { OperatorReadLimitGuard } from './operator-read-limit.guard.js';

/**
 * Passes the body to a handler as it is, because `InputPipe` reads only flat bodies. The handler must check it.
 * @param Dto describes it
 * @param example replaces the fields' examples in /docs, as in `ValidBody`
 */
export const NestedBody =
  <T extends object>(Dto: new () => T, example?: Partial<T>): ParameterDecorator =>
  (target, method, index) => {
    ParsedBody()(target, method, index);
    declareInput('body', target, method);
    if (method === undefined) return;
    const examples = example === undefined ? undefined : { change: { value: example } };
    ApiBody({ type: Dto, required: true, examples })(target, method, Object.getOwnPropertyDescriptor(target, method)!);
  };

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

/** Sets the status of a handler's response and documents it. */
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

/** The API description of a field `created_by`. */
export const CREATED_BY = {
  description: "The operator's ID, `admin_key`, or `system` for the command line.",
  example: 'admin_key',
} as const;
