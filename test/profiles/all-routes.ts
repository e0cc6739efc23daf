import { ALL_ROUTES } from '../../src/proxy/pass-through/all-routes.data.js';
import type { PassThroughFamily, PassThroughRoute } from '../../src/proxy/pass-through/pass-through-route.js';
import { BOUNDARY, file, formOf, text } from '../support/multipart-forms.js';
import type { Response, Key, TestGateway } from '../support/gateway.js';

export interface Row {
  /** Method and path, e.g. `POST /v1/batches`. */
  readonly title: string;
  readonly route: PassThroughRoute;
  readonly family: PassThroughFamily;
}

export const ROWS: readonly Row[] = ALL_ROUTES.flatMap((family) =>
  family.routes.map((route) => ({ title: `${route.method} ${route.path}`, route, family })),
);

/** Models for routes that do not support the default model. */
const FITTING: Readonly<Record<string, string>> = {
  '/v1/audio/translations': 'whisper-1',
  '/v1/images/variations': 'dall-e-2',
  '/v1/messages/batches': 'claude-3-haiku-20240307',
  '/v1/messages/count_tokens': 'claude-3-haiku-20240307',
};
export const fittingModel = ({ path }: PassThroughRoute): string => FITTING[path] ?? 'gpt-4o-mini';

export const pathOf = ({ path }: PassThroughRoute, id = 'x-1'): string => path.replace(/\{\w+\}/g, id);

const FORM = { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` };

/** Returns a valid body and headers for a route. The body names `model` if the route reads one. */
export function bodyOf(route: PassThroughRoute, model?: string): { body?: unknown; headers?: Record<string, string> } {
  switch (route.body) {
    case 'json':
      return { body: { ...jsonNaming(route, model), ...(route.batchFileIn && { [route.batchFileIn]: 'file-1' }) } };
    case 'multipart':
    case 'either':
      return { body: formOf([file('file'), ...(model === undefined ? [] : [text('model', model)])]), headers: FORM };
    case 'upload':
    case 'streamed':
      return { body: formOf([file('file')]), headers: FORM };
    case undefined:
      return route.method === 'POST' ? { body: '{"metadata": {}}' } : {};
    default:
      return route.body satisfies never;
  }
}

function jsonNaming({ modelIn }: PassThroughRoute, model: string | undefined): object {
  const named = model === undefined ? {} : { model };
  return modelIn === undefined ? named : { [modelIn]: named };
}

export const callRow = (
  gateway: TestGateway,
  { route }: Row,
  { key, model, headers = {} }: { key?: Key; model?: string; headers?: Record<string, string> } = {},
): Promise<Response> => {
  const { body, headers: own = {} } = bodyOf(route, model);
  return gateway.call(route.method, pathOf(route), { key, body, headers: { ...own, ...headers } });
};
