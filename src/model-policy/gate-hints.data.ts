import type { ModelCategory, ModelEndpoint } from './registry/model-facts.js';

/** The end of a `model_endpoint_mismatch` message, by the kind of the model. Source: docs/behaviour.md, "Errors". */
export const CATEGORY_HINTS: Readonly<Record<Exclude<ModelCategory, 'chat'>, string>> = {
  embedding: 'this is an embedding model, use POST /v1/embeddings.',
  tts: 'this is a text-to-speech model, use POST /v1/audio/speech.',
  transcription: 'this is a transcription model, use POST /v1/audio/transcriptions.',
  image: 'this is an image model, use POST /v1/images/generations.',
  ocr: 'this is an OCR model, use POST /v1/chat/completions with image_url blocks.',
  realtime: 'this is a realtime model, it requires a WebSocket connection.',
};

export const LEGACY_BASE_HINT = 'this is a legacy base model, use POST /v1/completions.';

/** By the route: which kind of model it needs, told to a chat model that is not of it. */
export const ROUTE_HINTS: Readonly<Partial<Record<ModelEndpoint, string>>> = {
  '/v1/embeddings': 'this route needs an embedding model.',
  '/v1/audio/speech': 'this route needs a text-to-speech (tts) model.',
  '/v1/audio/transcriptions': 'this route needs a transcription model.',
  '/v1/images/generations': 'this route needs an image model.',
  '/v1/images/edits': 'this route needs an image model.',
  '/v1/messages': 'this route needs a chat model of Anthropic or Google.',
  '/v1/responses': "only OpenAI's own text model families are supported on this route.",
};
