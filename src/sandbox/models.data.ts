/** What a model can be asked for; `base` completes texts, `custom` is taken by every route, as nobody knows what it is. */
export type ModelCategory =
  'chat' | 'embedding' | 'image' | 'tts' | 'transcription' | 'ocr' | 'realtime' | 'base' | 'custom';

/** A model as the provider lists it, but for its category, which no provider tells. */
export interface SandboxModel {
  readonly id: string;
  readonly category: ModelCategory;
  /** The maker's slug; `acme` is a maker that no registry knows. */
  readonly owned_by: string;
  /** Unix seconds. */
  readonly created: number;
}

/** Every category, from each of the nine makers and one unknown; in the order in which the provider lists them. */
export const SANDBOX_MODELS: readonly SandboxModel[] = [
  { id: 'gpt-4o', category: 'chat', owned_by: 'openai', created: 1715367049 },
  { id: 'gpt-4o-mini', category: 'chat', owned_by: 'openai', created: 1721172741 },
  { id: 'gpt-4.1', category: 'chat', owned_by: 'openai', created: 1744316542 },
  { id: 'gpt-4.1-mini', category: 'chat', owned_by: 'openai', created: 1744318173 },
  { id: 'gpt-5', category: 'chat', owned_by: 'openai', created: 1754425777 },
  { id: 'o1', category: 'chat', owned_by: 'openai', created: 1734375816 },
  { id: 'o3-mini', category: 'chat', owned_by: 'openai', created: 1737146383 },
  { id: 'gpt-3.5-turbo', category: 'chat', owned_by: 'openai', created: 1677610602 },
  { id: 'gpt-4o-audio-preview', category: 'chat', owned_by: 'openai', created: 1727460443 },
  { id: 'claude-3-5-haiku-20241022', category: 'chat', owned_by: 'anthropic', created: 1729555200 },
  { id: 'claude-3-5-sonnet-20241022', category: 'chat', owned_by: 'anthropic', created: 1729555200 },
  { id: 'claude-3-7-sonnet-20250219', category: 'chat', owned_by: 'anthropic', created: 1739923200 },
  { id: 'claude-sonnet-4-20250514', category: 'chat', owned_by: 'anthropic', created: 1747180800 },
  { id: 'claude-opus-4-20250514', category: 'chat', owned_by: 'anthropic', created: 1747180800 },
  { id: 'gemini-2.0-flash', category: 'chat', owned_by: 'google', created: 1738713600 },
  { id: 'gemini-2.5-flash', category: 'chat', owned_by: 'google', created: 1750118400 },
  { id: 'gemini-2.5-pro', category: 'chat', owned_by: 'google', created: 1750118400 },
  { id: 'llama-3.1-8b-instruct', category: 'chat', owned_by: 'meta', created: 1721692800 },
  { id: 'llama-3.3-70b-instruct', category: 'chat', owned_by: 'meta', created: 1733443200 },
  { id: 'mistral-large-latest', category: 'chat', owned_by: 'mistral', created: 1731888000 },
  { id: 'mistral-small-latest', category: 'chat', owned_by: 'mistral', created: 1738195200 },
  { id: 'pixtral-large-latest', category: 'chat', owned_by: 'mistral', created: 1731888000 },
  { id: 'command-r-plus', category: 'chat', owned_by: 'cohere', created: 1712188800 },
  { id: 'command-a-03-2025', category: 'chat', owned_by: 'cohere', created: 1741824000 },
  { id: 'deepseek-chat', category: 'chat', owned_by: 'deepseek', created: 1735171200 },
  { id: 'deepseek-reasoner', category: 'chat', owned_by: 'deepseek', created: 1737331200 },
  { id: 'grok-3', category: 'chat', owned_by: 'xai', created: 1743724800 },
  { id: 'grok-3-mini', category: 'chat', owned_by: 'xai', created: 1743724800 },
  { id: 'qwen-max', category: 'chat', owned_by: 'qwen', created: 1737763200 },
  { id: 'qwen-2.5-72b-instruct', category: 'chat', owned_by: 'qwen', created: 1726704000 },
  // an id with a slash, as aggregators write them
  { id: 'qwen/qwen3-32b', category: 'chat', owned_by: 'qwen', created: 1745798400 },
  { id: 'text-embedding-3-small', category: 'embedding', owned_by: 'openai', created: 1705948997 },
  { id: 'text-embedding-3-large', category: 'embedding', owned_by: 'openai', created: 1705953180 },
  { id: 'text-embedding-ada-002', category: 'embedding', owned_by: 'openai', created: 1671217299 },
  { id: 'embed-english-v3.0', category: 'embedding', owned_by: 'cohere', created: 1698883200 },
  { id: 'embed-multilingual-v3.0', category: 'embedding', owned_by: 'cohere', created: 1698883200 },
  { id: 'mistral-embed', category: 'embedding', owned_by: 'mistral', created: 1702252800 },
  { id: 'gemini-embedding-001', category: 'embedding', owned_by: 'google', created: 1752451200 },
  { id: 'dall-e-3', category: 'image', owned_by: 'openai', created: 1698785189 },
  { id: 'gpt-image-1', category: 'image', owned_by: 'openai', created: 1745517030 },
  { id: 'tts-1', category: 'tts', owned_by: 'openai', created: 1681940951 },
  { id: 'tts-1-hd', category: 'tts', owned_by: 'openai', created: 1699046015 },
  { id: 'gpt-4o-mini-tts', category: 'tts', owned_by: 'openai', created: 1742403959 },
  { id: 'whisper-1', category: 'transcription', owned_by: 'openai', created: 1677532384 },
  { id: 'gpt-4o-transcribe', category: 'transcription', owned_by: 'openai', created: 1742068463 },
  { id: 'mistral-ocr-latest', category: 'ocr', owned_by: 'mistral', created: 1741219200 },
  { id: 'gpt-4o-realtime-preview', category: 'realtime', owned_by: 'openai', created: 1727659998 },
  // legacy base models
  { id: 'davinci-002', category: 'base', owned_by: 'openai', created: 1692634301 },
  { id: 'babbage-002', category: 'base', owned_by: 'openai', created: 1692634615 },
  // known to nobody
  { id: 'acme-custom-1', category: 'custom', owned_by: 'acme', created: 1735689600 },
];

const byId = new Map(SANDBOX_MODELS.map((model) => [model.id, model]));

export function findModel(id: string): SandboxModel | undefined {
  return byId.get(id);
}
