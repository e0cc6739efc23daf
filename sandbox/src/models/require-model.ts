import { findModel, type ModelCategory } from '../models.data.js';
import { invalidModel, modelNotFound, overloaded, rateLimited, type VendorError } from '../wire/vendor-error.js';

const ENDPOINT_OF_CATEGORY: Readonly<Record<ModelCategory, string>> = {
  chat: 'v1/chat/completions',
  embedding: 'v1/embeddings',
  image: 'v1/images/generations',
  tts: 'v1/audio/speech',
  transcription: 'v1/audio/transcriptions',
  ocr: 'v1/chat/completions',
  realtime: 'v1/realtime',
  video: 'v1/videos',
  moderation: 'v1/moderations',
  base: 'v1/completions',
  custom: 'v1/chat/completions',
};

/** Models that always return the vendor's error, to test how a client handles it. */
const ERRORS_ON_DEMAND: Readonly<Record<string, () => VendorError>> = {
  'sandbox-429': () => rateLimited('sandbox-429'),
  'sandbox-529': overloaded,
};

/** @throws VendorError 404 for an unknown model, 400 for a model of another category */
export function requireModel(id: string, endpoint: string, categories: readonly ModelCategory[]): void {
  const error = ERRORS_ON_DEMAND[id];

  if (error !== undefined) throw error();

  const category = findModel(id)?.category;

  if (category === undefined) throw modelNotFound(id);
  if (category === 'custom' || categories.includes(category)) return;
  throw invalidModel(
    `This is not a ${categories[0]} model and thus not supported in the ${endpoint} endpoint. ` +
      `Did you mean to use ${ENDPOINT_OF_CATEGORY[category]}?`,
  );
}
