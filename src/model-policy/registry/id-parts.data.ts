import type { ModelFlag } from './model-facts.js';
import type { ModelCategory } from './endpoints.data.js';

export interface IdPart {
  readonly mark: string;
  readonly category?: ModelCategory | null;
  readonly adds?: readonly ModelFlag[];
  readonly removes?: readonly ModelFlag[];
}

/** The first part with a category decides it; flags of all parts apply in this order. Source: see families.data.ts. */
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
  { mark: 'non-reasoning', removes: ['reasoning'] },
  // Families with optional reasoning also have an instruction-following release without it.
  { mark: 'instruct', removes: ['reasoning'] },
];
