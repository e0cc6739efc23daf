/** `realtime` is the gateway's own: such a model is listed without a category and fits no route (D12). */
export const MODEL_CATEGORIES = ['chat', 'embedding', 'image', 'tts', 'transcription', 'ocr', 'realtime'] as const;
export type ModelCategory = (typeof MODEL_CATEGORIES)[number];
