/** The kind of a model. `base` models complete text. Every route accepts a `custom` model. */
export type ModelCategory =
  | 'chat'
  | 'embedding'
  | 'image'
  | 'tts'
  | 'transcription'
  | 'ocr'
  | 'realtime'
  | 'video'
  | 'moderation'
  | 'base'
  | 'custom';

/** A model as the provider lists it, with a category that providers do not list. */
export interface SandboxModel {
  readonly id: string;
  readonly category: ModelCategory;
  /** The slug of the model's maker. No model registry contains `acme`. */
  readonly owned_by: string;
  readonly created: number;
}

/** Models of every category, from the nine known makers and an unknown one, in the order of the provider's list. */
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
  { id: 'gpt-4.1-nano', category: 'chat', owned_by: 'openai', created: 1744321707 },
  { id: 'gpt-4-turbo', category: 'chat', owned_by: 'openai', created: 1712361441 },
  { id: 'gpt-4', category: 'chat', owned_by: 'openai', created: 1687882411 },
  { id: 'chatgpt-4o-latest', category: 'chat', owned_by: 'openai', created: 1723515131 },
  { id: 'gpt-5-mini', category: 'chat', owned_by: 'openai', created: 1754425928 },
  { id: 'gpt-5-nano', category: 'chat', owned_by: 'openai', created: 1754426384 },
  { id: 'gpt-5-pro', category: 'chat', owned_by: 'openai', created: 1759469707 },
  { id: 'gpt-5-codex', category: 'chat', owned_by: 'openai', created: 1757527818 },
  { id: 'gpt-5-chat-latest', category: 'chat', owned_by: 'openai', created: 1754073306 },
  { id: 'gpt-5.1', category: 'chat', owned_by: 'openai', created: 1762547951 },
  { id: 'gpt-5.1-mini', category: 'chat', owned_by: 'openai', created: 1762548100 },
  { id: 'gpt-5.1-codex', category: 'chat', owned_by: 'openai', created: 1762988221 },
  { id: 'gpt-5.1-codex-mini', category: 'chat', owned_by: 'openai', created: 1763007109 },
  { id: 'gpt-5.1-codex-max', category: 'chat', owned_by: 'openai', created: 1763671532 },
  { id: 'gpt-5.2', category: 'chat', owned_by: 'openai', created: 1765313051 },
  { id: 'gpt-5.2-codex', category: 'chat', owned_by: 'openai', created: 1766164985 },
  { id: 'gpt-5.2-pro', category: 'chat', owned_by: 'openai', created: 1765343983 },
  { id: 'gpt-5.3-codex', category: 'chat', owned_by: 'openai', created: 1770307200 },
  { id: 'gpt-5.4', category: 'chat', owned_by: 'openai', created: 1772668800 },
  { id: 'gpt-5.4-mini', category: 'chat', owned_by: 'openai', created: 1773705600 },
  { id: 'gpt-5.4-nano', category: 'chat', owned_by: 'openai', created: 1773705601 },
  { id: 'gpt-5.5', category: 'chat', owned_by: 'openai', created: 1776902400 },
  { id: 'gpt-5.5-pro', category: 'chat', owned_by: 'openai', created: 1776902401 },
  { id: 'gpt-5.6-luna', category: 'chat', owned_by: 'openai', created: 1782864000 },
  { id: 'gpt-5.6-sol', category: 'chat', owned_by: 'openai', created: 1782864001 },
  { id: 'gpt-5.6-terra', category: 'chat', owned_by: 'openai', created: 1782864002 },
  { id: 'gpt-6', category: 'chat', owned_by: 'openai', created: 1790812800 },
  { id: 'gpt-6-mini', category: 'chat', owned_by: 'openai', created: 1790812801 },
  { id: 'gpt-6-nano', category: 'chat', owned_by: 'openai', created: 1790812802 },
  { id: 'gpt-6-codex', category: 'chat', owned_by: 'openai', created: 1790812803 },
  { id: 'gpt-6-astra', category: 'chat', owned_by: 'openai', created: 1790812804 },
  { id: 'gpt-6-luna', category: 'chat', owned_by: 'openai', created: 1790812805 },
  { id: 'gpt-6-sol', category: 'chat', owned_by: 'openai', created: 1790812806 },
  { id: 'gpt-6.1-sol', category: 'chat', owned_by: 'openai', created: 1793491200 },
  { id: 'gpt-6.1-terra', category: 'chat', owned_by: 'openai', created: 1793491201 },
  { id: 'codex-mini-latest', category: 'chat', owned_by: 'openai', created: 1746673257 },
  { id: 'o1-pro', category: 'chat', owned_by: 'openai', created: 1742251791 },
  { id: 'o3', category: 'chat', owned_by: 'openai', created: 1744225308 },
  { id: 'o3-pro', category: 'chat', owned_by: 'openai', created: 1748475349 },
  { id: 'o3-deep-research', category: 'chat', owned_by: 'openai', created: 1749124800 },
  { id: 'o4-mini', category: 'chat', owned_by: 'openai', created: 1744225351 },
  { id: 'o4-mini-deep-research', category: 'chat', owned_by: 'openai', created: 1749124801 },
  { id: 'gpt-audio-1.5', category: 'chat', owned_by: 'openai', created: 1770249600 },
  { id: 'gpt-audio-mini', category: 'chat', owned_by: 'openai', created: 1759512027 },
  { id: 'gpt-4o-search-preview', category: 'chat', owned_by: 'openai', created: 1741388170 },
  { id: 'claude-3-haiku-20240307', category: 'chat', owned_by: 'anthropic', created: 1709769600 },
  { id: 'claude-opus-4-1-20250805', category: 'chat', owned_by: 'anthropic', created: 1754352000 },
  { id: 'claude-sonnet-4-5', category: 'chat', owned_by: 'anthropic', created: 1759104000 },
  { id: 'claude-sonnet-4-5-20250929', category: 'chat', owned_by: 'anthropic', created: 1759104000 },
  { id: 'claude-haiku-4-5', category: 'chat', owned_by: 'anthropic', created: 1759276800 },
  { id: 'claude-haiku-4-5-20251001', category: 'chat', owned_by: 'anthropic', created: 1759276800 },
  { id: 'claude-opus-4-5', category: 'chat', owned_by: 'anthropic', created: 1763942400 },
  { id: 'claude-opus-4-6', category: 'chat', owned_by: 'anthropic', created: 1770249600 },
  { id: 'claude-sonnet-4-6', category: 'chat', owned_by: 'anthropic', created: 1771286400 },
  { id: 'claude-opus-4-7', category: 'chat', owned_by: 'anthropic', created: 1776297600 },
  { id: 'claude-opus-4-8', category: 'chat', owned_by: 'anthropic', created: 1780272000 },
  { id: 'claude-sonnet-5', category: 'chat', owned_by: 'anthropic', created: 1782864000 },
  { id: 'claude-opus-5', category: 'chat', owned_by: 'anthropic', created: 1785542400 },
  { id: 'claude-haiku-5', category: 'chat', owned_by: 'anthropic', created: 1786752000 },
  { id: 'claude-fable-5', category: 'chat', owned_by: 'anthropic', created: 1788220800 },
  { id: 'claude-sonnet-5-5', category: 'chat', owned_by: 'anthropic', created: 1791244800 },
  { id: 'claude-haiku-5-5', category: 'chat', owned_by: 'anthropic', created: 1792454400 },
  { id: 'claude-opus-5-5', category: 'chat', owned_by: 'anthropic', created: 1793923200 },
  { id: 'gemini-2.5-flash-lite', category: 'chat', owned_by: 'google', created: 1753142400 },
  { id: 'gemini-3-flash', category: 'chat', owned_by: 'google', created: 1765929600 },
  { id: 'gemini-3-pro', category: 'chat', owned_by: 'google', created: 1763424000 },
  { id: 'gemini-3-flash-preview', category: 'chat', owned_by: 'google', created: 1765929601 },
  { id: 'gemini-3-pro-preview', category: 'chat', owned_by: 'google', created: 1763424001 },
  { id: 'llama-4-maverick-instruct', category: 'chat', owned_by: 'meta', created: 1743811200 },
  { id: 'llama-4-scout-instruct', category: 'chat', owned_by: 'meta', created: 1743811200 },
  { id: 'mistral-medium-latest', category: 'chat', owned_by: 'mistral', created: 1755043200 },
  { id: 'codestral-latest', category: 'chat', owned_by: 'mistral', created: 1753833600 },
  { id: 'magistral-medium-latest', category: 'chat', owned_by: 'mistral', created: 1758153600 },
  { id: 'command-a-reasoning-08-2025', category: 'chat', owned_by: 'cohere', created: 1755734400 },
  { id: 'deepseek-v3.2', category: 'chat', owned_by: 'deepseek', created: 1764547200 },
  { id: 'grok-4', category: 'chat', owned_by: 'xai', created: 1752019200 },
  { id: 'grok-4-fast', category: 'chat', owned_by: 'xai', created: 1758240000 },
  { id: 'grok-code-fast-1', category: 'chat', owned_by: 'xai', created: 1756339200 },
  { id: 'qwen3-max', category: 'chat', owned_by: 'qwen', created: 1758585600 },
  { id: 'qwen3-coder-plus', category: 'chat', owned_by: 'qwen', created: 1753142400 },
  // Aggregators use IDs with a slash.
  { id: 'qwen/qwen3-32b', category: 'chat', owned_by: 'qwen', created: 1745798400 },
  { id: 'text-embedding-3-small', category: 'embedding', owned_by: 'openai', created: 1705948997 },
  { id: 'text-embedding-3-large', category: 'embedding', owned_by: 'openai', created: 1705953180 },
  { id: 'text-embedding-ada-002', category: 'embedding', owned_by: 'openai', created: 1671217299 },
  { id: 'embed-english-v3.0', category: 'embedding', owned_by: 'cohere', created: 1698883200 },
  { id: 'embed-multilingual-v3.0', category: 'embedding', owned_by: 'cohere', created: 1698883200 },
  { id: 'mistral-embed', category: 'embedding', owned_by: 'mistral', created: 1702252800 },
  { id: 'gemini-embedding-001', category: 'embedding', owned_by: 'google', created: 1752451200 },
  { id: 'text-embedding-4-small', category: 'embedding', owned_by: 'openai', created: 1783468800 },
  { id: 'text-embedding-4-large', category: 'embedding', owned_by: 'openai', created: 1783468801 },
  { id: 'embed-v4.0', category: 'embedding', owned_by: 'cohere', created: 1744675200 },
  { id: 'qwen3-embedding-8b', category: 'embedding', owned_by: 'qwen', created: 1749081600 },
  { id: 'dall-e-2', category: 'image', owned_by: 'openai', created: 1698798177 },
  { id: 'dall-e-3', category: 'image', owned_by: 'openai', created: 1698785189 },
  { id: 'gpt-image-1', category: 'image', owned_by: 'openai', created: 1745517030 },
  { id: 'gpt-image-1-mini', category: 'image', owned_by: 'openai', created: 1759296000 },
  { id: 'gpt-image-1.5', category: 'image', owned_by: 'openai', created: 1765843200 },
  { id: 'gpt-image-2', category: 'image', owned_by: 'openai', created: 1776729600 },
  { id: 'gpt-image-2.5-flare', category: 'image', owned_by: 'openai', created: 1788825600 },
  { id: 'gpt-image-2.6-sunburst', category: 'image', owned_by: 'openai', created: 1793577600 },
  { id: 'imagen-4.0-generate-001', category: 'image', owned_by: 'google', created: 1755129600 },
  { id: 'tts-1', category: 'tts', owned_by: 'openai', created: 1681940951 },
  { id: 'tts-1-hd', category: 'tts', owned_by: 'openai', created: 1699046015 },
  { id: 'gpt-4o-mini-tts', category: 'tts', owned_by: 'openai', created: 1742403959 },
  { id: 'whisper-1', category: 'transcription', owned_by: 'openai', created: 1677532384 },
  { id: 'gpt-4o-transcribe', category: 'transcription', owned_by: 'openai', created: 1742068463 },
  { id: 'gpt-4o-mini-transcribe', category: 'transcription', owned_by: 'openai', created: 1742068596 },
  { id: 'gpt-4o-transcribe-diarize', category: 'transcription', owned_by: 'openai', created: 1750798887 },
  { id: 'gpt-transcribe', category: 'transcription', owned_by: 'openai', created: 1789430400 },
  { id: 'mistral-ocr-latest', category: 'ocr', owned_by: 'mistral', created: 1741219200 },
  { id: 'gpt-4o-realtime-preview', category: 'realtime', owned_by: 'openai', created: 1727659998 },
  { id: 'gpt-realtime', category: 'realtime', owned_by: 'openai', created: 1756271701 },
  { id: 'gpt-realtime-mini', category: 'realtime', owned_by: 'openai', created: 1759517133 },
  { id: 'gpt-realtime-2', category: 'realtime', owned_by: 'openai', created: 1783468802 },
  { id: 'sora-2', category: 'video', owned_by: 'openai', created: 1759708615 },
  { id: 'sora-2-pro', category: 'video', owned_by: 'openai', created: 1759708663 },
  { id: 'omni-moderation-latest', category: 'moderation', owned_by: 'openai', created: 1731689265 },
  { id: 'text-moderation-latest', category: 'moderation', owned_by: 'openai', created: 1677532384 },
  { id: 'davinci-002', category: 'base', owned_by: 'openai', created: 1692634301 },
  { id: 'babbage-002', category: 'base', owned_by: 'openai', created: 1692634615 },
  { id: 'acme-custom-1', category: 'custom', owned_by: 'acme', created: 1735689600 },
  // A request that names one of these models gets its status, on every route.
  { id: 'sandbox-429', category: 'custom', owned_by: 'acme', created: 1735689601 },
  { id: 'sandbox-529', category: 'custom', owned_by: 'acme', created: 1735689602 },
];

const SNAPSHOT_DATE = /-(?:\d{4}-\d{2}-\d{2}|\d{8})$/;

const byId = new Map(SANDBOX_MODELS.map((model) => [model.id, model]));

/** Also finds models that the list omits: dated snapshots, and fine-tuned models (`ft:<model>:…`). */
export function findModel(id: string): SandboxModel | undefined {
  const listed = byId.get(id);

  if (listed !== undefined) return listed;

  const [prefix, tuned] = id.split(':');
  const base = byId.get((prefix === 'ft' ? (tuned ?? '') : id).replace(SNAPSHOT_DATE, ''));

  return base === undefined ? undefined : { ...base, id };
}
