import { applyDecorators } from '@nestjs/common';
import { ApiHeader, ApiQuery, ApiSecurity } from '@nestjs/swagger';
import { BYTES, FORM_TYPE, JSON_TYPE, OperationDoc, TEXT, type OperationDescription } from '../operation.doc.js';
import type { PassThroughFamily, PassThroughRoute } from './pass-through-route.js';
import { FormUpload, ModelIfAny } from './pass-through.request.dto.js';

export const PassThroughDoc = (route: PassThroughRoute, family: PassThroughFamily): MethodDecorator =>
  applyDecorators(
    OperationDoc({
      ...{ tag: family.tag, id: route.name, summary: route.summary },
      description: `Forwarded unchanged. ${family.note}`.trimEnd(),
      pathIds: [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!),
      ...bodyOf(route),
      ...responseOf(route),
    }),
    ...Object.entries(route.query ?? {}).map(([name, { type, description }]) =>
      ApiQuery({ name, description, required: false, schema: { type } }),
    ),
    ...(family.assistants === true ? [BETA_HEADER] : []),
    ...(family.api === 'anthropic' ? [ApiSecurity('x_api_key')] : []),
    ...(family.api === 'anthropic' || family.sharedPath === true ? [VERSION_HEADER] : []),
  );

const BETA_HEADER = ApiHeader({
  name: 'OpenAI-Beta',
  description: 'Forwarded. The provider can require `assistants=v2`.',
  required: false,
  schema: { type: 'string', example: 'assistants=v2' },
});

const VERSION_HEADER = ApiHeader({
  name: 'anthropic-version',
  description: 'Forwarded. If both vendors serve the path, it directs the request to Anthropic.',
  required: false,
  schema: { type: 'string', example: '2023-06-01' },
});

function bodyOf({ body, takes }: PassThroughRoute): Pick<OperationDescription, 'takes' | 'optional' | 'types'> {
  switch (body) {
    case undefined:
      return { takes, optional: true };
    case 'upload':
      return { takes: takes ?? FormUpload, types: [FORM_TYPE] };
    case 'streamed':
      return { takes: takes ?? FormUpload, types: [FORM_TYPE, JSON_TYPE], optional: true };
    case 'json':
      return { takes: takes ?? ModelIfAny };
    case 'multipart':
      return { takes: takes ?? ModelIfAny, types: [FORM_TYPE] };
    case 'either':
      return { takes: takes ?? ModelIfAny, types: [FORM_TYPE, JSON_TYPE] };
    default:
      return body satisfies never;
  }
}

const ANY_OBJECT = { type: 'object', additionalProperties: true } as const;

function responseOf({ gives, streams }: PassThroughRoute): Pick<OperationDescription, 'gives' | 'response'> {
  if (gives === 'file') return { gives: { 'application/octet-stream': BYTES }, response: 'The bytes of the file.' };
  if (gives === 'lines') return { gives: { 'application/x-jsonl': TEXT }, response: 'One JSON object per line.' };
  const json = gives ?? ANY_OBJECT;
  if (streams !== true) return { gives: { 'application/json': json } };
  return {
    gives: { 'application/json': json, 'text/event-stream': TEXT },
    response: 'The object. `stream: true` returns server-sent events.',
  };
}
