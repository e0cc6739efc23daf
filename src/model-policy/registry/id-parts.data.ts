import type { ModelFlag } from './model-facts.js';
import type { ModelCategory } from './endpoints.data.js';

/** A part of an id, between separators, that tells more than its family does. */
export interface IdPart {
  readonly mark: string;
  /** A chat family's model with this mark is of another kind; null: of a kind that the gateway has no category for. */
  readonly category?: ModelCategory | null;
  readonly adds?: readonly ModelFlag[];
  readonly takes?: readonly ModelFlag[];
}

/**
 * Read in this order: the first that names a category decides it, flags are added and taken by all.
 * Source and date: as in families.data.ts.
 */
export const ID_PARTS: readonly IdPart[] = [
  { mark: 'realtime', category: 'realtime' },
  { mark: 'live', category: 'realtime' },
  { mark: 'native-audio', category: 'realtime' },
  { mark: 'tts', category: 'tts' },
  { mark: 'transcribe', category: 'transcription' },
  { mark: 'asr', category: 'transcription' },
  { mark: 'embed', category: 'embedding' },
  { mark: 'embedding', category: 'embedding' },
  { mark: 'ocr', category: 'ocr' },
  { mark: 'image', category: 'image' },
  { mark: 'video', category: null },
  { mark: 'music', category: null },
  { mark: 'moderation', category: null },
  { mark: 'rerank', category: null },
  { mark: 'reranker', category: null },

  { mark: 'vision', adds: ['vision'] },
  { mark: 'vl', adds: ['vision'] },
  { mark: 'omni', adds: ['vision', 'audio_input'] },
  { mark: 'thinking', adds: ['reasoning'] },
  { mark: 'reasoning', adds: ['reasoning'] },
  { mark: 'non-reasoning', takes: ['reasoning'] },
  // Families that reason when asked to are released a second time as plain instruction followers.
  { mark: 'instruct', takes: ['reasoning'] },
];
