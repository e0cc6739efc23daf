import type { ModelCategory } from './registry/model-category.js';

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
