import type { ReceivedRequest } from '../../../sandbox/src/scripted/received-request.js';
import { anthropicError, type Vendor } from './vendor-provider.js';

const bearer = (request: ReceivedRequest): string | undefined =>
  /^Bearer (\S+)$/.exec(request.header('authorization') ?? '')?.[1];
const apiKey = (request: ReceivedRequest): string | undefined => request.header('api-key');
const xApiKey = (request: ReceivedRequest): string | undefined => request.header('x-api-key');

const openAiRow = (id: string, owner: string) => ({ id, object: 'model', created: 1_755_000_000, owned_by: owner });
const openAiList = (owner: string, ...ids: string[]) => ({
  object: 'list',
  data: ids.map((id) => openAiRow(id, owner)),
});

export const OPENAI: Vendor = {
  prefix: '/v1',
  apis: ['openai'],
  credentialIn: bearer,
  runs: ['gpt-5-mini', 'gpt-5'],
  list: () => openAiList('system', 'gpt-5-mini', 'gpt-5', 'text-embedding-3-small'),
  wrongCredential: {
    status: 401,
    body: {
      error: { message: 'Incorrect API key', type: 'invalid_request_error', param: null, code: 'invalid_api_key' },
    },
  },
  unknownModel: (model) => ({
    status: 404,
    body: {
      error: { message: `No model ${model}`, type: 'invalid_request_error', param: null, code: 'model_not_found' },
    },
  }),
  unknownPath: { status: 404, body: { error: { message: 'Invalid URL', type: 'invalid_request_error' } } },
};

const CLAUDE = ['claude-opus-4-1-20250805', 'claude-sonnet-4-5-20250929'];
const claudeRow = (id: string) => ({ type: 'model', id, display_name: id, created_at: '2025-09-29T00:00:00Z' });

export const ANTHROPIC: Vendor = {
  prefix: '/v1',
  apis: ['anthropic'],
  credentialIn: xApiKey,
  runs: CLAUDE,
  // Two pages of one model.
  list: (query) => {
    const [first, last] = CLAUDE.map(claudeRow);
    return query.get('after_id') === CLAUDE[0]
      ? { data: [last], has_more: false, first_id: CLAUDE[1], last_id: CLAUDE[1] }
      : { data: [first], has_more: true, first_id: CLAUDE[0], last_id: CLAUDE[0] };
  },
  wrongCredential: { status: 401, body: anthropicError('authentication_error', 'invalid x-api-key') },
  unknownModel: (model) => ({ status: 404, body: anthropicError('not_found_error', `model: ${model}`) }),
  unknownPath: { status: 404, body: anthropicError('not_found_error', 'Not found') },
};

/** Also serves the layer for OpenAI's SDKs, which reads the key from another header. */
export const ANTHROPIC_WITH_OPENAI: Vendor = {
  ...ANTHROPIC,
  apis: ['anthropic', 'openai'],
  credentialIn: (request, api) => (api === 'openai' ? bearer(request) : xApiKey(request)),
};

const azureError = (status: number, code: string, message: string) => ({ status, body: { error: { code, message } } });

export const AZURE: Vendor = {
  prefix: '/openai/v1',
  apis: ['openai'],
  credentialIn: apiKey,
  // These are deployments. The list has base models instead.
  runs: ['gpt-5-mini', 'gpt-4o', 'team-a-mini'],
  list: () => ({
    object: 'list',
    data: ['gpt-4o-2024-08-06', 'gpt-4.1-2025-04-14', 'gpt-5-mini-2025-08-07'].map((id) => ({
      id,
      object: 'model',
      created_at: 1_755_000_000,
      status: 'succeeded',
      capabilities: { inference: true },
      lifecycle_status: 'generally-available',
    })),
  }),
  wrongCredential: azureError(401, '401', 'Access denied due to invalid subscription key or wrong API endpoint.'),
  unknownModel: () => azureError(404, 'DeploymentNotFound', 'The API deployment for this resource does not exist.'),
  unknownPath: azureError(404, '404', 'Resource not found'),
  checkQuery: (query) => {
    const version = query.get('api-version');
    if (version === null || version === 'preview') return null;
    return azureError(400, 'BadRequest', 'API version not supported');
  },
};

export const AZURE_DEPLOYMENT: Vendor = {
  ...AZURE,
  prefix: '/openai/deployments/gpt-4o',
  runs: ['gpt-4o'],
  list: null,
  checkQuery: (query) =>
    query.get('api-version') === '2024-10-21' ? null : azureError(404, '404', 'Resource not found'),
};

const openRouterError = (code: number, message: string) => ({ status: code, body: { error: { message, code } } });

export const OPENROUTER: Vendor = {
  prefix: '/api/v1',
  apis: ['openai', 'anthropic'],
  credentialIn: bearer,
  runs: ['openai/gpt-5-mini', 'openai/gpt-5-mini:nitro', 'anthropic/claude-sonnet-4.5', 'qwen/qwen3-32b'],
  list: () => ({
    data: ['openai/gpt-5-mini', 'anthropic/claude-sonnet-4.5', 'qwen/qwen3-32b', 'openrouter/auto'].map((id) => ({
      id,
      canonical_slug: id,
      name: id,
      created: 1_755_000_000,
      context_length: 200_000,
      architecture: { modality: 'text->text' },
      pricing: { prompt: '0.000001', completion: '0.000002' },
    })),
  }),
  listIsPublic: true,
  wrongCredential: openRouterError(401, 'User not found.'),
  unknownModel: (model) => openRouterError(400, `${model} is not a valid model ID`),
  unknownPath: { status: 404, headers: { 'content-type': 'text/html' }, body: '<html>Not Found</html>' },
  streamStart: ': OPENROUTER PROCESSING\n\n',
};

const googleError = (code: number, status: string, message: string) => ({
  status: code,
  body: [{ error: { code, message, status } }],
});

export const GOOGLE: Vendor = {
  prefix: '/v1beta/openai',
  apis: ['openai'],
  credentialIn: bearer,
  runs: ['gemini-flash-latest', 'gemini-flash-lite-latest', 'models/gemini-flash-latest'],
  list: () => ({
    object: 'list',
    data: ['models/gemini-flash-latest', 'models/gemini-flash-lite-latest'].map((id) => ({
      id,
      object: 'model',
      owned_by: 'google',
      display_name: id,
    })),
  }),
  wrongCredential: googleError(400, 'INVALID_ARGUMENT', 'API key not valid. Please pass a valid API key.'),
  unknownModel: (model) => googleError(404, 'NOT_FOUND', `models/${model} is not found`),
  unknownPath: { status: 404, body: '' },
};

const VERTEX_PATH = '/v1/projects/PROJECT/locations/us-central1/endpoints/openapi';

export const VERTEX: Vendor = {
  ...GOOGLE,
  prefix: VERTEX_PATH,
  runs: ['google/gemini-2.5-flash'],
  list: null,
  wrongCredential: googleError(401, 'UNAUTHENTICATED', 'Request had invalid authentication credentials.'),
};

export const BEDROCK: Vendor = {
  prefix: '/openai/v1',
  apis: ['openai'],
  credentialIn: bearer,
  runs: ['openai.gpt-oss-20b-1:0', 'openai.gpt-oss-120b-1:0'],
  list: null,
  wrongCredential: { status: 403, body: { message: 'Authentication failed: Please make sure your API Key is valid.' } },
  unknownModel: () => ({ status: 400, body: { message: 'The provided model identifier is invalid.' } }),
  unknownPath: { status: 404, body: { message: 'Unknown operation' } },
};

export const BEDROCK_CLAUDE: Vendor = {
  ...ANTHROPIC,
  prefix: '/anthropic/v1',
  runs: ['anthropic.claude-haiku-4-5'],
  list: null,
};

export const VLLM: Vendor = {
  prefix: '/v1',
  apis: ['openai', 'anthropic'],
  credentialIn: bearer,
  runs: ['qwen3-8b'],
  list: () => ({
    object: 'list',
    data: [
      { ...openAiRow('qwen3-8b', 'vllm'), root: 'Qwen/Qwen3-8B', parent: null, max_model_len: 40_960, permission: [] },
    ],
  }),
  wrongCredential: { status: 401, body: { error: 'Unauthorized' } },
  unknownModel: (model) => ({
    status: 404,
    body: {
      error: { message: `The model \`${model}\` does not exist.`, type: 'NotFoundError', param: 'model', code: 404 },
    },
  }),
  unknownPath: { status: 404, body: { detail: 'Not Found' } },
};

export const OLLAMA: Vendor = {
  prefix: '/v1',
  apis: ['openai'],
  credentialIn: null,
  runs: ['llama3.2:latest'],
  list: () => openAiList('library', 'llama3.2:latest'),
  wrongCredential: { status: 500 },
  unknownModel: (model) => ({
    status: 404,
    body: { error: { message: `model '${model}' not found`, type: 'not_found_error', param: null, code: null } },
  }),
  unknownPath: { status: 404, body: '404 page not found' },
};

const llamaError = (code: number, type: string, message: string) => ({
  status: code,
  body: { error: { message, type, code } },
});

export const LLAMA_LOADING = llamaError(503, 'unavailable_error', 'Loading model');

export const LLAMA_CPP: Vendor = {
  prefix: '/v1',
  apis: ['openai'],
  credentialIn: bearer,
  runs: ['qwen3-8b'],
  list: () => ({
    models: [{ name: 'qwen3-8b', model: 'qwen3-8b', type: 'model' }],
    object: 'list',
    data: [{ ...openAiRow('qwen3-8b', 'llamacpp'), meta: { n_ctx_train: 40_960 } }],
  }),
  listIsPublic: true,
  wrongCredential: llamaError(401, 'authentication_error', 'Invalid API Key'),
  unknownModel: (model) => llamaError(404, 'not_found_error', model),
  unknownPath: llamaError(404, 'not_found_error', 'File Not Found'),
};

export const LITELLM: Vendor = {
  prefix: '/v1',
  apis: ['openai', 'anthropic'],
  credentialIn: bearer,
  runs: ['gpt-5-mini', 'claude-sonnet-4-5'],
  list: () => openAiList('openai', 'gpt-5-mini', 'claude-sonnet-4-5', 'openai/*'),
  wrongCredential: {
    status: 401,
    body: { error: { message: 'Authentication Error', type: 'token_not_found_in_db', param: 'key', code: '401' } },
  },
  unknownModel: (model) => ({
    status: 400,
    body: { error: { message: `Invalid model name passed in model=${model}`, type: null, param: null, code: '400' } },
  }),
  unknownPath: { status: 404, body: { detail: 'Not Found' } },
};
