import { findModel, type ModelCategory } from '../models.data.js';
import { invalidModel, modelNotFound } from '../wire/vendor-error.js';

const WHERE_TO_GO: Readonly<Record<ModelCategory, string>> = {
  chat: 'v1/chat/completions',
  embedding: 'v1/embeddings',
  image: 'v1/images/generations',
  tts: 'v1/audio/speech',
  transcription: 'v1/audio/transcriptions',
  ocr: 'v1/chat/completions',
  realtime: 'v1/realtime',
  base: 'v1/completions',
  custom: 'v1/chat/completions',
};

/** 404 for a model that is not in the list, 400 for one of a category that this endpoint does not take. */
export function requireModel(id: string, endpoint: string, categories: readonly ModelCategory[]): void {
  const category = findModel(id)?.category;

  if (category === undefined) throw modelNotFound(id);
  if (category === 'custom' || categories.includes(category)) return;
  throw invalidModel(
    `This is not a ${categories[0]} model and thus not supported in the ${endpoint} endpoint. ` +
      `Did you mean to use ${WHERE_TO_GO[category]}?`,
  );
}
