import { applyDecorators, type Type } from '@nestjs/common';
import {
  ApiBearerAuth,
  ApiBody,
  ApiConsumes,
  ApiExtraModels,
  ApiOkResponse,
  ApiOperation,
  ApiParam,
  ApiTags,
  getSchemaPath,
} from '@nestjs/swagger';
import { PATH_ID_FORM } from '../routes/parameter-name.rules.js';

/** The answer of one content type: its class, or a schema where it has none. */
type AnswerBody = Type | { readonly type: 'string' | 'object'; readonly [keyword: string]: unknown };

export const TEXT = { type: 'string' } as const;
export const BYTES = { type: 'string', format: 'binary' } as const;

/** What the API description tells of one operation under /v1. */
export interface OperationDescription {
  readonly tag: string;
  readonly id: string;
  readonly summary: string;
  readonly description?: string;
  /** Ids in the path, by name; `RouteGuard` judges them. */
  readonly pathIds?: readonly string[];
  readonly takes?: Type | undefined;
  /** Content types of the body. Default: JSON. */
  readonly types?: readonly string[];
  /** A request without a body is not refused. */
  readonly optional?: true;
  /** Answers of 200, by content type. */
  readonly gives: Readonly<Record<string, AnswerBody>>;
  /** What the answer holds, and when which. */
  readonly answer?: string;
}

/** Describes a handler under /v1. Errors, and the gateway's headers, are added to all of them in `openapi/`. */
export const OperationDoc = (operation: OperationDescription): MethodDecorator =>
  applyDecorators(
    ApiTags(operation.tag),
    ApiBearerAuth('api_key'),
    ApiOperation({ summary: operation.summary, operationId: operation.id, description: operation.description }),
    ...(operation.pathIds ?? []).map((name) => ApiParam({ name, schema: PATH_ID })),
    ...bodyOf(operation),
    ApiExtraModels(...Object.values(operation.gives).filter((body) => typeof body === 'function')),
    ApiOkResponse({
      description: operation.answer ?? '',
      content: Object.fromEntries(
        Object.entries(operation.gives).map(([type, body]) => [type, { schema: schemaOf(body) }]),
      ),
    }),
  );

const PATH_ID = { type: 'string', pattern: PATH_ID_FORM.source } as const;

export const JSON_TYPE = 'application/json';
export const FORM_TYPE = 'multipart/form-data';

function bodyOf({ takes, types = [JSON_TYPE], optional }: OperationDescription): MethodDecorator[] {
  if (takes === undefined) return [];
  return [ApiBody({ type: takes, required: optional !== true }), ApiConsumes(...types)];
}

const schemaOf = (body: AnswerBody) => (typeof body === 'function' ? { $ref: getSchemaPath(body) } : { ...body });
