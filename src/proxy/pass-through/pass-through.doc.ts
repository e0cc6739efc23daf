import { applyDecorators } from '@nestjs/common';
import { ApiHeader, ApiQuery } from '@nestjs/swagger';
import { BYTES, OperationDoc, TEXT, type OperationDescription } from '../operation.doc.js';
import type { PassThroughFamily, PassThroughRoute } from './pass-through-route.js';

/** How the API description shows one route of the table. */
export const PassThroughDoc = (route: PassThroughRoute, family: PassThroughFamily): MethodDecorator =>
  applyDecorators(
    OperationDoc({
      ...{ tag: family.tag, id: route.name, summary: route.summary },
      description: `Forwarded as it is. ${family.note}`,
      pathIds: [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!),
      takes: route.takes,
      form: route.body === 'upload',
      ...answerOf(route),
    }),
    ...Object.entries(route.query ?? {}).map(([name, { type, description }]) =>
      ApiQuery({ name, description, required: false, schema: { type } }),
    ),
    ...(family.assistants ? [BETA_HEADER] : []),
  );

const BETA_HEADER = ApiHeader({
  name: 'OpenAI-Beta',
  description: 'Forwarded. The provider may demand `assistants=v2`.',
  required: false,
  schema: { type: 'string', example: 'assistants=v2' },
});

function answerOf({ gives, streams }: PassThroughRoute): Pick<OperationDescription, 'gives' | 'answer'> {
  if (gives === 'file') return { gives: { 'application/octet-stream': BYTES }, answer: 'The bytes of the file.' };
  if (streams !== true) return { gives: { 'application/json': gives } };
  return {
    gives: { 'application/json': gives, 'text/event-stream': TEXT },
    answer: 'The object; with `stream: true` server-sent events.',
  };
}
