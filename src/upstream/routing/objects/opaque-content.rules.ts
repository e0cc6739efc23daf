import { hash } from 'node:crypto';
import { isObject, type JsonObject } from '../../../platform/validation/check.js';

/** Encrypted texts contain a random value at their beginning, so it identifies them. */
const HASHED_LENGTH_MAX = 4_096;
const SIGNATURE = 'signature:';

/** The ID under which the owner of encrypted content is recorded. The content itself is not stored. */
export const encryptedContentId = (content: string): string => `encrypted:${hashOf(content)}`;

/** The same for the signature of a thinking block, and for the data of a redacted one. */
export const signatureId = (signature: string): string => SIGNATURE + hashOf(signature);

export const isSignatureId = (id: string): boolean => id.startsWith(SIGNATURE);

const hashOf = (text: string): string => hash('sha256', text.slice(0, HASHED_LENGTH_MAX), 'base64url');

/** Returns the signature of a content block, or null. */
export function signatureOf(block: unknown): string | null {
  if (!isObject(block)) return null;
  const { type, signature, data } = block;
  if (type === 'thinking' && isContent(signature)) return signature;
  return type === 'redacted_thinking' && isContent(data) ? data : null;
}

/** Returns the encrypted content of an item, such as reasoning, or null. */
export const encryptedContentOf = (item: unknown): string | null =>
  isObject(item) && isContent(item['encrypted_content']) ? item['encrypted_content'] : null;

const isContent = (value: unknown): value is string => typeof value === 'string' && value !== '';

/** The newest contents decide, because an older one might come from an upstream that no longer serves the conversation. */
const NEWEST_MAX = 4;

/** Returns the IDs of the encrypted contents in the input of a response, the newest first. */
export function encryptedContentIds({ input }: JsonObject): string[] {
  return newest(Array.isArray(input) ? input : [], encryptedContentOf).map(encryptedContentId);
}

/** Returns the IDs of the signatures in the messages of a request, the newest first. */
export function signatureIds({ messages }: JsonObject): string[] {
  if (!Array.isArray(messages)) return [];
  const found: string[] = [];
  for (let at = messages.length - 1; at >= 0 && found.length < NEWEST_MAX; at--) {
    const message: unknown = messages[at];
    if (isObject(message) && Array.isArray(message['content'])) found.push(...newest(message['content'], signatureOf));
  }
  return found.slice(0, NEWEST_MAX).map(signatureId);
}

function newest(values: readonly unknown[], contentOf: (value: unknown) => string | null): string[] {
  const found: string[] = [];
  for (let at = values.length - 1; at >= 0 && found.length < NEWEST_MAX; at--) {
    const content = contentOf(values[at]);
    if (content !== null) found.push(content);
  }
  return found;
}

/** Anthropic documents that its own API and these clouds accept each other's signatures. */
const CLAUDE_HOSTS = ['anthropic.com', 'amazonaws.com', 'googleapis.com', 'azure.com'];

/** Whether one upstream accepts the signatures of thinking blocks that another one made. */
export const sharesSignatures = (one: URL, other: URL): boolean => isClaudeHost(one) && isClaudeHost(other);

const isClaudeHost = ({ hostname }: URL): boolean => CLAUDE_HOSTS.some((host) => hostname.endsWith(`.${host}`));
