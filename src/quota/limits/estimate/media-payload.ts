import { isMediaName } from '../../../platform/json/media-names.js';
import type { JsonObject } from '../../../platform/validation/check.js';

/** `sealed` is encrypted reasoning, which only the provider can read. */
export type Media = 'image' | 'audio' | 'video' | 'document' | 'sealed';

/** Fields with these names contain long texts, and are not tested further. */
const TEXT_NAMES: ReadonlySet<string> = new Set(['text', 'content', 'arguments', 'output', 'thinking']);
/** Shorter strings count as text, whatever they contain. */
const MEDIA_LENGTH_MIN = 256;
const DATA = 'data:';
const DATA_HEAD_LENGTH_MAX = 256;
const NOT_BASE64 = /[^A-Za-z\d+/=_\r\n-]/;

/** Whether a field contains media. Reads the whole string, in about a nanosecond per byte. The source of a document can be text. */
export const isMediaPayload = ({ type }: JsonObject, name: string, value: string): boolean =>
  value.length >= MEDIA_LENGTH_MIN && !TEXT_NAMES.has(name) && type !== 'text' && isMediaName(name) && isEncoded(value);

function isEncoded(value: string): boolean {
  const url = dataUrlOf(value);
  return url === null ? !NOT_BASE64.test(value) : !url.type.startsWith('text/') && !NOT_BASE64.test(url.content);
}

/** The kind of media in a payload whose part has an unknown format. */
export function mediaOf(payload: string): Media {
  const type = dataUrlOf(payload)?.type ?? 'image/';
  if (type.startsWith('image/')) return 'image';
  if (type.startsWith('audio/')) return 'audio';
  return type.startsWith('video/') ? 'video' : 'document';
}

/** Decodes at least the first `bytes` bytes of a payload, or all of a shorter one. */
export const firstPayloadBytes = (payload: string, bytes: number): Buffer =>
  Buffer.from((dataUrlOf(payload)?.content ?? payload).slice(0, Math.ceil((bytes * 4) / 3)), 'base64');

interface DataUrl {
  /** The media type in lower case. */
  readonly type: string;
  readonly content: string;
}

/** Null for strings that are not data URLs. A regular expression took quadratic time for malicious strings. */
function dataUrlOf(value: string): DataUrl | null {
  const head = value.slice(0, DATA_HEAD_LENGTH_MAX);
  const comma = head.indexOf(',');
  if (comma === -1) return null;
  const attributes = head.slice(0, comma).toLowerCase();
  if (!attributes.startsWith(DATA) || !attributes.endsWith(';base64')) return null;
  return { type: attributes.slice(DATA.length).split(';', 1)[0]!, content: value.slice(comma + 1) };
}
