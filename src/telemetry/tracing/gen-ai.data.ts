import type { UsageReaderName } from '../../routes/route-spec.js';

/** `gen_ai.operation.name`, by how tokens are found in the answers; a route without asks no model. */
export const OPERATIONS: Readonly<Record<UsageReaderName, string>> = {
  chat: 'chat',
  completions: 'text_completion',
  messages: 'chat',
  responses: 'chat',
  embeddings: 'embeddings',
  media: 'generate_content',
};

/** `gen_ai.provider.name`: by the interface that is spoken, for who answers behind one account is not known here. */
export const PROVIDERS = { default: 'openai', messages: 'anthropic' } as const;
