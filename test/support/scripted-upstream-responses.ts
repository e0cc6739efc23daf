import type { Script } from '../../sandbox/src/scripted/scripted-provider.js';

export const CHAT_USAGE = { prompt_tokens: 9, completion_tokens: 3, total_tokens: 12 };

/** The model list, with at least one model of every category and some unknown to the model registry. */
export const MODELS: readonly { readonly id: string; readonly owned_by: string }[] = [
  { id: 'gpt-4o', owned_by: 'openai' },
  { id: 'gpt-4o-mini', owned_by: 'openai' },
  { id: 'gpt-4.1', owned_by: 'openai' },
  { id: 'o1', owned_by: 'openai' },
  { id: 'o3-mini', owned_by: 'openai' },
  { id: 'gpt-4o-audio-preview', owned_by: 'openai' },
  { id: 'gpt-4o-realtime-preview', owned_by: 'openai' },
  { id: 'davinci-002', owned_by: 'openai' },
  { id: 'babbage-002', owned_by: 'openai' },
  { id: 'text-embedding-3-small', owned_by: 'openai' },
  { id: 'text-embedding-3-large', owned_by: 'openai' },
  { id: 'dall-e-2', owned_by: 'openai' },
  { id: 'dall-e-3', owned_by: 'openai' },
  { id: 'gpt-image-1', owned_by: 'openai' },
  { id: 'tts-1', owned_by: 'openai' },
  { id: 'tts-1-hd', owned_by: 'openai' },
  { id: 'whisper-1', owned_by: 'openai' },
  { id: 'gpt-4o-transcribe', owned_by: 'openai' },
  { id: 'claude-3-5-sonnet-20241022', owned_by: 'anthropic' },
  { id: 'claude-3-haiku-20240307', owned_by: 'anthropic' },
  { id: 'gemini-2.0-flash', owned_by: 'google' },
  { id: 'meta-llama/llama-3.3-70b-instruct', owned_by: 'meta' },
  { id: 'mistral-large-latest', owned_by: 'mistral' },
  { id: 'mistral-ocr-latest', owned_by: 'mistral' },
  { id: 'command-r-plus', owned_by: 'cohere' },
  { id: 'deepseek-chat', owned_by: 'deepseek' },
  { id: 'grok-2', owned_by: 'xai' },
  { id: 'acme-custom-1', owned_by: 'organization-owner' },
];

export const chatCompletion = (model: string, usage: object = CHAT_USAGE) => ({
  id: 'chatcmpl-scripted1',
  object: 'chat.completion',
  created: 1_700_000_000,
  model,
  choices: [{ index: 0, message: { role: 'assistant', content: 'Hello there.' }, finish_reason: 'stop' }],
  usage,
});

export function chatStream(model: string, withUsage: boolean): string[] {
  const base = { id: 'chatcmpl-scripted1', object: 'chat.completion.chunk', created: 1_700_000_000, model };
  const chunk = (delta: object, finish_reason: string | null = null) => ({
    ...base,
    choices: [{ index: 0, delta, finish_reason }],
  });
  const chunks: object[] = [
    chunk({ role: 'assistant', content: '' }),
    chunk({ content: 'Hello' }),
    chunk({ content: ' thére' }),
    chunk({ content: ' 👋' }),
    chunk({}, 'stop'),
  ];
  if (withUsage) chunks.push({ ...base, choices: [], usage: CHAT_USAGE });
  return [...chunks.map((data) => `data: ${JSON.stringify(data)}\n\n`), 'data: [DONE]\n\n'];
}

export const respondToChat: Script = (request) => {
  const { model, stream, stream_options: options } = request.json();
  if (stream !== true) return { body: chatCompletion(String(model)) };
  const withUsage = (options as { include_usage?: boolean } | null)?.include_usage === true;
  const headers = { 'content-type': 'text/event-stream' };
  return { headers, chunks: chatStream(String(model), withUsage), pauseMs: 0 };
};

export const MODEL_LIST = {
  object: 'list',
  data: MODELS.map(({ id, owned_by }) => ({ id, object: 'model', created: 1_700_000_000, owned_by })),
};

/** The scripts of a provider by `METHOD path`, until a test replaces them. */
export const DEFAULT_SCRIPTS: ReadonlyMap<string, Script> = new Map<string, Script>([
  ['POST /v1/chat/completions', respondToChat],
  ['GET /v1/models', () => ({ body: MODEL_LIST })],
]);
