import type { UsageReaderName } from '../../routes/route-spec.js';
import { CHAT_USAGE } from './chat-usage.js';
import type { UsageReader } from './usage-reader.js';

/** By the name that a route declares. */
export const USAGE_READERS: Readonly<Record<UsageReaderName, UsageReader>> = {
  chat: CHAT_USAGE,
};
