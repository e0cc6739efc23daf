import type { OpenAPIObject } from '@nestjs/swagger';
import { ERROR_CODES } from '../errors/error-code.data.js';

type Operation = NonNullable<OpenAPIObject['paths'][string]['get']>;
type Parameters = { name?: string }[];

/** Nest's word for a wildcard, and what it stands for here: a model id, slashes included (D8). */
const WILDCARDS: Readonly<Record<string, string>> = {
  '/v1/models/{path}': '/v1/models/{model}',
  '/admin/model-allowlist/{path}': '/admin/model-allowlist/{model}',
  '/admin/models/{path}': '/admin/models/{model}/probe',
};

const ERROR_ENVELOPE = {
  type: 'object',
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      required: ['message', 'type', 'code', 'param', 'request_id'],
      properties: {
        message: { type: 'string' },
        type: { type: 'string', enum: [...new Set(Object.values(ERROR_CODES).map(({ type }) => type))] },
        code: { type: 'string', enum: Object.keys(ERROR_CODES) },
        param: { type: ['string', 'null'], description: 'The field at fault.' },
        request_id: { type: 'string', description: 'The same as X-Request-Id.' },
      },
    },
  },
};

/** What the decorators cannot say: wildcard paths under their own names, and the one shape of every error. */
export function finishDocument(document: OpenAPIObject): void {
  for (const [given, meant] of Object.entries(WILDCARDS)) renamePath(document, given, meant);
  const schemas = (document.components ??= {}).schemas ?? {};
  document.components.schemas = Object.assign(schemas, { ErrorEnvelope: ERROR_ENVELOPE });
  for (const [path, item] of Object.entries(document.paths)) {
    if (!path.startsWith('/v1/') && !path.startsWith('/admin/')) continue;
    for (const operation of Object.values(item) as Operation[]) operation.responses['default'] = anyError();
  }
}

function renamePath(document: OpenAPIObject, given: string, meant: string): void {
  const item = document.paths[given];
  if (item === undefined) return;
  document.paths[meant] = item;
  delete document.paths[given];
  for (const operation of Object.values(item) as { parameters?: Parameters }[]) {
    operation.parameters = operation.parameters?.filter(({ name }) => name !== '*' && name !== 'path');
  }
}

const anyError = () => ({
  description: 'Any refusal or failure.',
  content: { 'application/json': { schema: { $ref: '#/components/schemas/ErrorEnvelope' } } },
});
