import { isMediaName } from '../../../platform/json/media-names.js';
import type { JsonObject } from '../../../platform/validation/check.js';

export type Media = 'image' | 'audio' | 'video' | 'document' | 'sealed';

/** Fields with these names contain long texts, and are not tested further. */
const TEXT_NAMES: ReadonlySet<string> = new Set(['text', 'content', 'arguments', 'output', 'thinking']);
/** Shorter strings count as text, whatever they contain. */
const MEDIA_LENGTH_MIN = 256;
const DATA = 'data:';
const DATA_HEAD_LENGTH_MAX = 256;
const NOT_BASE64 = /[^A-Za-z\d+/=_\r\n-]/;

/** Whether a field contains media. Reads the whole string, in about a nanosecond per byte. The source of a document can be text. */
export const isPayload = ({ type }: JsonObject, name: string, value: string): boolean =>
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

/** The first bytes of a payload. */
export const headOf = (payload: string, bytes: number): Buffer =>
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

/** The bytes that `wavBytesPerSecond` reads. */
export const WAV_HEAD_BYTES = 36;
/** PCM, floating point, and the extensible form of both. Other formats are compressed. */
const UNCOMPRESSED: ReadonlySet<number> = new Set([1, 3, 0xfffe]);
/** Below 8 kbit/s, the header is wrong. */
const RATE_MIN = 1000;
/** 48 kHz, stereo, 32 bits. A higher rate would make a file appear shorter than it is. */
const RATE_MAX = 400_000;

/**
 * The rate in the header of an uncompressed WAV file, or null. The header states it twice, and the lower rate counts, because decoders
 * ignore one of them.
 * @param head the first bytes of the file
 */
export function wavBytesPerSecond(head: Buffer): number | null {
  if (head.length < WAV_HEAD_BYTES || head.toString('latin1', 0, 4) !== 'RIFF') return null;
  if (head.toString('latin1', 8, 16) !== 'WAVEfmt ' || !UNCOMPRESSED.has(head.readUInt16LE(20))) return null;
  const [channels, samplesPerSecond, bits] = [head.readUInt16LE(22), head.readUInt32LE(24), head.readUInt16LE(34)];
  const rate = Math.min(head.readUInt32LE(28), channels * samplesPerSecond * (bits / 8));
  return rate >= RATE_MIN ? Math.min(rate, RATE_MAX) : null;
}
