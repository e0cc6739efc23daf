/** A model as the provider lists it. */
export interface SandboxModel {
  readonly id: string;
  /** The maker's slug; `acme` is a maker that no registry knows. */
  readonly owned_by: string;
  /** Unix seconds. */
  readonly created: number;
}

/** Every category, from each of the nine makers and one unknown; in the order in which the provider lists them. */
export const SANDBOX_MODELS: readonly SandboxModel[] = [
  // chat
  { id: 'gpt-4o', owned_by: 'openai', created: 1715367049 },
  { id: 'gpt-4o-mini', owned_by: 'openai', created: 1721172741 },
  { id: 'gpt-4.1', owned_by: 'openai', created: 1744316542 },
  { id: 'gpt-4.1-mini', owned_by: 'openai', created: 1744318173 },
  { id: 'gpt-5', owned_by: 'openai', created: 1754425777 },
  { id: 'o1', owned_by: 'openai', created: 1734375816 },
  { id: 'o3-mini', owned_by: 'openai', created: 1737146383 },
  { id: 'gpt-3.5-turbo', owned_by: 'openai', created: 1677610602 },
  { id: 'gpt-4o-audio-preview', owned_by: 'openai', created: 1727460443 },
  { id: 'claude-3-5-haiku-20241022', owned_by: 'anthropic', created: 1729555200 },
  { id: 'claude-3-5-sonnet-20241022', owned_by: 'anthropic', created: 1729555200 },
  { id: 'claude-3-7-sonnet-20250219', owned_by: 'anthropic', created: 1739923200 },
  { id: 'claude-sonnet-4-20250514', owned_by: 'anthropic', created: 1747180800 },
  { id: 'claude-opus-4-20250514', owned_by: 'anthropic', created: 1747180800 },
  { id: 'gemini-2.0-flash', owned_by: 'google', created: 1738713600 },
  { id: 'gemini-2.5-flash', owned_by: 'google', created: 1750118400 },
  { id: 'gemini-2.5-pro', owned_by: 'google', created: 1750118400 },
  { id: 'llama-3.1-8b-instruct', owned_by: 'meta', created: 1721692800 },
  { id: 'llama-3.3-70b-instruct', owned_by: 'meta', created: 1733443200 },
  { id: 'mistral-large-latest', owned_by: 'mistral', created: 1731888000 },
  { id: 'mistral-small-latest', owned_by: 'mistral', created: 1738195200 },
  { id: 'pixtral-large-latest', owned_by: 'mistral', created: 1731888000 },
  { id: 'command-r-plus', owned_by: 'cohere', created: 1712188800 },
  { id: 'command-a-03-2025', owned_by: 'cohere', created: 1741824000 },
  { id: 'deepseek-chat', owned_by: 'deepseek', created: 1735171200 },
  { id: 'deepseek-reasoner', owned_by: 'deepseek', created: 1737331200 },
  { id: 'grok-3', owned_by: 'xai', created: 1743724800 },
  { id: 'grok-3-mini', owned_by: 'xai', created: 1743724800 },
  { id: 'qwen-max', owned_by: 'qwen', created: 1737763200 },
  { id: 'qwen-2.5-72b-instruct', owned_by: 'qwen', created: 1726704000 },
  // an id with a slash, as aggregators write them
  { id: 'qwen/qwen3-32b', owned_by: 'qwen', created: 1745798400 },
  // embedding
  { id: 'text-embedding-3-small', owned_by: 'openai', created: 1705948997 },
  { id: 'text-embedding-3-large', owned_by: 'openai', created: 1705953180 },
  { id: 'text-embedding-ada-002', owned_by: 'openai', created: 1671217299 },
  { id: 'embed-english-v3.0', owned_by: 'cohere', created: 1698883200 },
  { id: 'embed-multilingual-v3.0', owned_by: 'cohere', created: 1698883200 },
  { id: 'mistral-embed', owned_by: 'mistral', created: 1702252800 },
  { id: 'gemini-embedding-001', owned_by: 'google', created: 1752451200 },
  // image
  { id: 'dall-e-3', owned_by: 'openai', created: 1698785189 },
  { id: 'gpt-image-1', owned_by: 'openai', created: 1745517030 },
  // tts
  { id: 'tts-1', owned_by: 'openai', created: 1681940951 },
  { id: 'tts-1-hd', owned_by: 'openai', created: 1699046015 },
  { id: 'gpt-4o-mini-tts', owned_by: 'openai', created: 1742403959 },
  // transcription
  { id: 'whisper-1', owned_by: 'openai', created: 1677532384 },
  { id: 'gpt-4o-transcribe', owned_by: 'openai', created: 1742068463 },
  // ocr
  { id: 'mistral-ocr-latest', owned_by: 'mistral', created: 1741219200 },
  // realtime
  { id: 'gpt-4o-realtime-preview', owned_by: 'openai', created: 1727659998 },
  // legacy base models
  { id: 'davinci-002', owned_by: 'openai', created: 1692634301 },
  { id: 'babbage-002', owned_by: 'openai', created: 1692634615 },
  // known to nobody
  { id: 'acme-custom-1', owned_by: 'acme', created: 1735689600 },
];

const byId = new Map(SANDBOX_MODELS.map((model) => [model.id, model]));

export function findModel(id: string): SandboxModel | undefined {
  return byId.get(id);
}
