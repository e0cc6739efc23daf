export interface Provider {
  /** Null if the address is in `api_base` only. */
  readonly baseUrl: string | null;
  /** Added to `api_base` if it is not there yet. */
  readonly path?: string;
  /** The variable that LiteLLM reads without `api_key`. Null if the provider needs none. */
  readonly env: string | null;
  readonly apis?: readonly ('openai' | 'anthropic')[];
  readonly header?: 'api-key';
}

/** Providers of LiteLLM whose own API the gateway can forward to, by LiteLLM's prefix. */
export const PROVIDERS: Readonly<Record<string, Provider>> = {
  openai: { baseUrl: 'https://api.openai.com/v1', env: 'OPENAI_API_KEY' },
  'text-completion-openai': { baseUrl: 'https://api.openai.com/v1', env: 'OPENAI_API_KEY' },
  anthropic: {
    baseUrl: 'https://api.anthropic.com/v1',
    path: '/v1',
    env: 'ANTHROPIC_API_KEY',
    apis: ['anthropic', 'openai'],
  },
  azure: { baseUrl: null, path: '/openai/v1', env: 'AZURE_API_KEY', header: 'api-key' },
  azure_ai: { baseUrl: null, env: 'AZURE_AI_API_KEY', header: 'api-key' },
  gemini: { baseUrl: 'https://generativelanguage.googleapis.com/v1beta/openai', env: 'GEMINI_API_KEY' },
  mistral: { baseUrl: 'https://api.mistral.ai/v1', env: 'MISTRAL_API_KEY' },
  groq: { baseUrl: 'https://api.groq.com/openai/v1', env: 'GROQ_API_KEY' },
  deepseek: { baseUrl: 'https://api.deepseek.com/v1', env: 'DEEPSEEK_API_KEY' },
  xai: { baseUrl: 'https://api.x.ai/v1', env: 'XAI_API_KEY' },
  together_ai: { baseUrl: 'https://api.together.xyz/v1', env: 'TOGETHERAI_API_KEY' },
  fireworks_ai: { baseUrl: 'https://api.fireworks.ai/inference/v1', env: 'FIREWORKS_AI_API_KEY' },
  openrouter: { baseUrl: 'https://openrouter.ai/api/v1', env: 'OPENROUTER_API_KEY', apis: ['openai', 'anthropic'] },
  perplexity: { baseUrl: 'https://api.perplexity.ai', env: 'PERPLEXITYAI_API_KEY' },
  cerebras: { baseUrl: 'https://api.cerebras.ai/v1', env: 'CEREBRAS_API_KEY' },
  nvidia_nim: { baseUrl: 'https://integrate.api.nvidia.com/v1', env: 'NVIDIA_NIM_API_KEY' },
  hosted_vllm: { baseUrl: null, env: null },
  vllm: { baseUrl: null, env: null },
  openai_like: { baseUrl: null, env: 'OPENAI_LIKE_API_KEY' },
  custom_openai: { baseUrl: null, env: 'OPENAI_API_KEY' },
  litellm_proxy: { baseUrl: null, env: 'LITELLM_PROXY_API_KEY', apis: ['openai', 'anthropic'] },
  lm_studio: { baseUrl: null, env: null },
  llamafile: { baseUrl: null, env: null },
  ollama: { baseUrl: 'http://localhost:11434/v1', path: '/v1', env: null },
  ollama_chat: { baseUrl: 'http://localhost:11434/v1', path: '/v1', env: null },
};

/** Providers that need more than a base URL and a key, with the way to add them by hand. */
export const UNSUPPORTED_PROVIDERS: Readonly<Record<string, string>> = {
  bedrock:
    'LiteLLM signs requests with AWS keys, and the gateway does not. Add Bedrock with a Bedrock API key: docs/upstreams/bedrock.md.',
  bedrock_converse:
    'LiteLLM signs requests with AWS keys, and the gateway does not. Add Bedrock with a Bedrock API key: docs/upstreams/bedrock.md.',
  vertex_ai: 'Vertex AI needs an OAuth token, which a file can provide. Add it by hand: docs/upstreams/google.md.',
  vertex_ai_beta: 'Vertex AI needs an OAuth token, which a file can provide. Add it by hand: docs/upstreams/google.md.',
};
