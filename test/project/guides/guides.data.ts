import type { Api } from '../../../src/platform/config/upstreams/upstreams-file.js';
import { secretOf } from './guide-page.js';
import type { Vendor } from './vendor-provider.js';
import * as vendors from './vendors.data.js';

/** A complete file of a page, with everything that it promises. */
export interface Guide {
  readonly page: string;
  readonly file: number;
  readonly upstream: string;
  readonly vendor: Vendor;
  readonly api: Api;
  /** The name that clients send, or null if the page's own request is used. */
  readonly model: string | null;
  /** The model that the provider gets, if the name is an alias. */
  readonly sent?: string;
  /** The path and query of a request for the model. */
  readonly path: string;
  /** The headers of the account. */
  readonly headers: Readonly<Record<string, string>>;
  /** The IDs in `GET /v1/models`. */
  readonly lists: readonly string[];
  /** The status that `upstream test` reports with the right credential, and with a wrong one. */
  readonly tests: readonly [right: number, wrong: number];
  /** The provider's status for a wrong credential and the client's, or null if there is no credential. */
  readonly rejection: readonly [provider: number, client: number] | null;
}

const bearer = (source: string) => ({ authorization: `Bearer ${secretOf(source)}` });
const BEDROCK_KEY = 'AWS_BEARER_TOKEN_BEDROCK';
const OPENROUTER_HEADERS = {
  ...bearer('OPENROUTER_API_KEY'),
  'http-referer': 'https://example.com',
  'x-title': 'Example',
};
const OPENROUTER_LIST = ['openai/gpt-5-mini', 'anthropic/claude-sonnet-4.5', 'qwen/qwen3-32b', 'openrouter/auto'];
const CLAUDE_LIST = ['claude-opus-4-1-20250805', 'claude-sonnet-4-5-20250929'];

const of = (page: string, file: number, vendor: Vendor, guide: Omit<Guide, 'page' | 'file' | 'vendor'>): Guide => ({
  page,
  file,
  vendor,
  ...guide,
});

export const GUIDES: readonly Guide[] = [
  of('openai', 0, vendors.OPENAI, {
    upstream: 'openai',
    api: 'openai',
    model: null,
    path: '/v1/chat/completions',
    headers: bearer('OPENAI_API_KEY'),
    lists: ['gpt-5-mini', 'gpt-5', 'text-embedding-3-small'],
    tests: [200, 401],
    rejection: [401, 502],
  }),
  of('anthropic', 0, vendors.ANTHROPIC, {
    upstream: 'anthropic',
    api: 'anthropic',
    model: null,
    path: '/v1/messages',
    headers: { 'x-api-key': secretOf('ANTHROPIC_API_KEY') },
    lists: CLAUDE_LIST,
    tests: [200, 401],
    rejection: [401, 502],
  }),
  of('anthropic', 1, vendors.ANTHROPIC_WITH_OPENAI, {
    upstream: 'anthropic',
    api: 'openai',
    model: CLAUDE_LIST[1]!,
    path: '/v1/chat/completions',
    headers: bearer('ANTHROPIC_API_KEY'),
    lists: CLAUDE_LIST,
    tests: [200, 401],
    rejection: [401, 502],
  }),
  of('azure-openai', 0, vendors.AZURE, {
    upstream: 'azure',
    api: 'openai',
    model: null,
    path: '/openai/v1/chat/completions',
    headers: { 'api-key': secretOf('AZURE_OPENAI_API_KEY') },
    lists: ['gpt-5-mini', 'gpt-4o'],
    tests: [200, 401],
    rejection: [401, 502],
  }),
  of('azure-openai', 1, vendors.AZURE, {
    upstream: 'azure',
    api: 'openai',
    model: 'gpt-5-mini',
    sent: 'team-a-mini',
    path: '/openai/v1/chat/completions',
    headers: { 'api-key': secretOf('AZURE_OPENAI_API_KEY') },
    lists: ['team-a-mini', 'gpt-5-mini'],
    tests: [200, 401],
    rejection: [401, 502],
  }),
  of('azure-openai', 2, vendors.AZURE_DEPLOYMENT, {
    upstream: 'azure-gpt-4o',
    api: 'openai',
    model: 'gpt-4o',
    path: '/openai/deployments/gpt-4o/chat/completions?api-version=2024-10-21',
    headers: { 'api-key': secretOf('AZURE_OPENAI_API_KEY') },
    lists: ['gpt-4o'],
    tests: [404, 404],
    rejection: [401, 502],
  }),
  of('openrouter', 0, vendors.OPENROUTER, {
    upstream: 'openrouter',
    api: 'openai',
    model: null,
    path: '/api/v1/chat/completions',
    headers: OPENROUTER_HEADERS,
    lists: OPENROUTER_LIST,
    tests: [200, 200],
    rejection: [401, 502],
  }),
  of('openrouter', 0, vendors.OPENROUTER, {
    upstream: 'openrouter',
    api: 'anthropic',
    model: 'anthropic/claude-sonnet-4.5',
    path: '/api/v1/messages',
    headers: OPENROUTER_HEADERS,
    lists: OPENROUTER_LIST,
    tests: [200, 200],
    rejection: [401, 502],
  }),
  of('google', 0, vendors.GOOGLE, {
    upstream: 'google',
    api: 'openai',
    model: null,
    path: '/v1beta/openai/chat/completions',
    headers: bearer('GEMINI_API_KEY'),
    lists: ['gemini-flash-latest', 'gemini-flash-lite-latest'],
    tests: [200, 400],
    rejection: [400, 400],
  }),
  of('google', 1, vendors.VERTEX, {
    upstream: 'vertex',
    api: 'openai',
    model: 'gemini-2.5-flash',
    sent: 'google/gemini-2.5-flash',
    path: `${vendors.VERTEX.prefix}/chat/completions`,
    headers: bearer('/run/secrets/vertex-token'),
    lists: ['google/gemini-2.5-flash', 'gemini-2.5-flash'],
    tests: [404, 404],
    rejection: [401, 502],
  }),
  of('bedrock', 0, vendors.BEDROCK, {
    upstream: 'bedrock',
    api: 'openai',
    model: null,
    sent: 'openai.gpt-oss-120b-1:0',
    path: '/openai/v1/chat/completions',
    headers: bearer(BEDROCK_KEY),
    lists: ['openai.gpt-oss-20b-1:0', 'openai.gpt-oss-120b-1:0', 'gpt-oss-120b'],
    tests: [404, 404],
    rejection: [403, 502],
  }),
  of('bedrock', 1, vendors.BEDROCK_CLAUDE, {
    upstream: 'bedrock-claude',
    api: 'anthropic',
    model: 'claude-haiku-4-5',
    sent: 'anthropic.claude-haiku-4-5',
    path: '/anthropic/v1/messages',
    headers: { 'x-api-key': secretOf(BEDROCK_KEY) },
    lists: ['anthropic.claude-haiku-4-5', 'claude-haiku-4-5'],
    tests: [404, 404],
    rejection: [401, 502],
  }),
  of('vllm', 0, vendors.VLLM, {
    upstream: 'vllm',
    api: 'openai',
    model: null,
    path: '/v1/chat/completions',
    headers: bearer('VLLM_API_KEY'),
    lists: ['qwen3-8b'],
    tests: [200, 401],
    rejection: [401, 502],
  }),
  of('ollama', 0, vendors.OLLAMA, {
    upstream: 'ollama',
    api: 'openai',
    model: null,
    sent: 'llama3.2:latest',
    path: '/v1/chat/completions',
    headers: {},
    lists: ['llama3.2:latest', 'llama3.2'],
    tests: [200, 200],
    rejection: null,
  }),
  of('llama-cpp', 0, vendors.LLAMA_CPP, {
    upstream: 'llama-cpp',
    api: 'openai',
    model: null,
    path: '/v1/chat/completions',
    headers: bearer('LLAMA_API_KEY'),
    lists: ['qwen3-8b'],
    tests: [200, 200],
    rejection: [401, 502],
  }),
  of('litellm', 0, vendors.LITELLM, {
    upstream: 'litellm',
    api: 'openai',
    model: null,
    path: '/v1/chat/completions',
    headers: bearer('LITELLM_API_KEY'),
    lists: ['gpt-5-mini', 'claude-sonnet-4-5', 'openai/*'],
    tests: [200, 401],
    rejection: [401, 502],
  }),
  of('litellm', 0, vendors.LITELLM, {
    upstream: 'litellm',
    api: 'anthropic',
    model: 'claude-sonnet-4-5',
    path: '/v1/messages',
    headers: bearer('LITELLM_API_KEY'),
    lists: ['gpt-5-mini', 'claude-sonnet-4-5', 'openai/*'],
    tests: [200, 401],
    rejection: [401, 502],
  }),
];
