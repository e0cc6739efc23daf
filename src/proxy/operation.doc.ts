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
import { PATH_ID_FORM } from '../platform/routes/path-id.rules.js';

type ResponseBody = Type | { readonly type: 'string' | 'object'; readonly [keyword: string]: unknown };

export const TEXT = { type: 'string' } as const;
export const BYTES = { type: 'string', format: 'binary' } as const;

export interface OperationDescription {
  readonly tag: string;
  readonly id: string;
  readonly summary: string;
  readonly description?: string;
  readonly pathIds?: readonly string[];
  readonly takes?: Type | undefined;
  readonly types?: readonly string[];
  readonly optional?: true;
  /** The bodies by content type. Classes only describe them: responses are not parsed. */
  readonly gives: Readonly<Record<string, ResponseBody>>;
  readonly response?: string;
}

/** `openapi/` adds errors and the gateway's headers. */
export const OperationDoc = (operation: OperationDescription): MethodDecorator =>
  applyDecorators(
    ApiTags(operation.tag),
    ApiBearerAuth('api_key'),
    ApiOperation({ summary: operation.summary, operationId: operation.id, description: operation.description }),
    ...(operation.pathIds ?? []).map((name) => ApiParam({ name, schema: PATH_ID })),
    ...bodyOf(operation),
    ApiExtraModels(...Object.values(operation.gives).filter((body) => typeof body === 'function')),
    ApiOkResponse({
      description: operation.response ?? '',
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

const schemaOf = (body: ResponseBody) => (typeof body === 'function' ? { $ref: getSchemaPath(body) } : { ...body });
