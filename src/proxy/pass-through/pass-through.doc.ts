import { applyDecorators, type Type } from '@nestjs/common';
import {
  ApiBearerAuth,
  ApiBody,
  ApiConsumes,
  ApiExtraModels,
  ApiHeader,
  ApiOkResponse,
  ApiOperation,
  ApiParam,
  ApiProduces,
  ApiQuery,
  ApiTags,
  getSchemaPath,
} from '@nestjs/swagger';
import { PATH_ID } from '../path-id.doc.js';
import type { PassThroughFamily, PassThroughRoute } from './pass-through-route.js';

/** How the API description shows one route of the table. */
export const PassThroughDoc = (route: PassThroughRoute, family: PassThroughFamily): MethodDecorator =>
  applyDecorators(
    ApiTags(family.tag),
    ApiBearerAuth('api_key'),
    ApiOperation({
      summary: route.summary,
      operationId: route.name,
      description: `Forwarded as it is. ${family.note}`,
    }),
    ...idsIn(route.path).map((name) => ApiParam({ name, schema: PATH_ID })),
    ...Object.entries(route.query ?? {}).map(([name, { type, description }]) =>
      ApiQuery({ name, description, required: false, schema: { type } }),
    ),
    ...(family.assistants ? [BETA_HEADER] : []),
    ...bodyOf(route),
    ...answerOf(route),
  );

const BETA_HEADER = ApiHeader({
  name: 'OpenAI-Beta',
  description: 'Forwarded. The provider may demand `assistants=v2`.',
  required: false,
  schema: { type: 'string', example: 'assistants=v2' },
});

const idsIn = (path: string): string[] => [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);

function bodyOf({ takes, body }: PassThroughRoute): MethodDecorator[] {
  if (takes === undefined) return [];
  return [ApiBody({ type: takes }), ApiConsumes(body === 'upload' ? 'multipart/form-data' : 'application/json')];
}

function answerOf({ gives, streams }: PassThroughRoute): MethodDecorator[] {
  if (gives !== 'bytes' && streams === true) return [ApiExtraModels(gives), streamedAnswer(gives)];
  if (gives !== 'bytes') return [ApiOkResponse({ type: gives })];
  return [
    ApiProduces('application/octet-stream'),
    ApiOkResponse({ description: 'The bytes of the file.', schema: { type: 'string', format: 'binary' } }),
  ];
}

const streamedAnswer = (gives: Type) =>
  ApiOkResponse({
    description: 'The object; with `stream: true` server-sent events.',
    content: {
      'application/json': { schema: { $ref: getSchemaPath(gives) } },
      'text/event-stream': { schema: { type: 'string' } },
    },
  });
