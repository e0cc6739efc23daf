import type { UsageReaderName } from '../../routes/route-spec.js';
import { CHAT_USAGE } from './chat-usage.js';
import { EMBEDDINGS_USAGE } from './embeddings-usage.js';
import { MEDIA_USAGE } from './media-usage.js';
import { MESSAGES_USAGE } from './messages-usage.js';
import { RESPONSES_USAGE } from './responses-usage.js';
import type { UsageReader } from './usage-reader.js';

/** By the name that a route declares. */
export const USAGE_READERS: Readonly<Record<UsageReaderName, UsageReader>> = {
  chat: CHAT_USAGE,
  // The chat format's report, whether the upstream knows text completions or they are emulated on chat.
  completions: CHAT_USAGE,
  messages: MESSAGES_USAGE,
  responses: RESPONSES_USAGE,
  embeddings: EMBEDDINGS_USAGE,
  media: MEDIA_USAGE,
};
