/** `gen_ai.operation.name` by endpoint; an endpoint that is not here asks no model. */
export const OPERATIONS: Readonly<Record<string, string>> = {
  '/v1/chat/completions': 'chat',
  '/v1/completions': 'text_completion',
  '/v1/messages': 'chat',
  '/v1/responses': 'chat',
  '/v1/embeddings': 'embeddings',
  '/v1/audio/speech': 'generate_content',
  '/v1/audio/transcriptions': 'generate_content',
  '/v1/images/generations': 'generate_content',
  '/v1/images/edits': 'generate_content',
};

/** `gen_ai.provider.name`: by the interface that is spoken, for who answers behind one account is not known here. */
export const PROVIDERS = { default: 'openai', messages: 'anthropic' } as const;
