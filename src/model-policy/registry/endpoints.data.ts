import type { ModelCategory, ModelEndpoint } from './model-facts.js';

/** `gw_endpoints` by category. Source: docs/behaviour.md, "Model entry". */
export const CATEGORY_ENDPOINTS: Readonly<Record<Exclude<ModelCategory, 'chat'>, readonly ModelEndpoint[]>> = {
  embedding: ['/v1/embeddings'],
  image: ['/v1/images/generations', '/v1/images/edits'],
  tts: ['/v1/audio/speech'],
  transcription: ['/v1/audio/transcriptions'],
  ocr: ['/v1/chat/completions'],
  realtime: [],
};

/** `gw_endpoints` of chat models: every maker's are emulated on completions (D10). */
export const CHAT_ENDPOINTS: readonly ModelEndpoint[] = ['/v1/chat/completions', '/v1/completions'];

/** What a maker's chat models can be called at beyond `CHAT_ENDPOINTS`. */
export const MAKER_CHAT_ENDPOINTS: Readonly<Record<string, readonly ModelEndpoint[]>> = {
  openai: ['/v1/responses'],
  anthropic: ['/v1/messages'],
  google: ['/v1/messages'],
};

export const LEGACY_BASE_ENDPOINTS: readonly ModelEndpoint[] = ['/v1/completions'];
