import { isObject, type JsonObject } from '../../../platform/validation/check.js';
import {
  AUDIO_BYTES_PER_SECOND,
  AUDIO_SECONDS_UNKNOWN,
  AUDIO_TOKENS_PER_SECOND,
  DOCUMENT_BYTES_PER_TOKEN,
  FILE_TOKENS_MIN,
  SEALED_BYTES_PER_TOKEN,
  VIDEO_BYTES_PER_TOKEN,
} from './media-tokens.data.js';
import { firstPayloadBytes, isMediaPayload, mediaOf, type Media } from './media-payload.js';
import { WAV_HEAD_BYTES, wavBytesPerSecond } from './wav-rate.js';
import type { ModelFigures } from './model-sizes.js';

/** Tokens: a likely number, and a number that is rarely exceeded. */
interface Range {
  typical: number;
  full: number;
}

/** The media in a request, and the rest of the body as text. Together they determine the number of input tokens. */
export interface InputMedia {
  /** Bytes of the body without media: text, field names and structure. */
  readonly textBytes: number;
  readonly images: Range;
  readonly audio: Range;
  /** Documents, videos and encrypted reasoning. */
  readonly files: Range;
  /** Marked parts of the input are written to the provider's cache. */
  readonly cacheWrite: 'cache_write_5m' | 'cache_write_1h' | null;
}

/** Content parts by `type`, in the formats of both vendors. */
const PARTS: ReadonlyMap<unknown, Media> = new Map<unknown, Media>([
  ...(['image_url', 'input_image', 'image', 'computer_screenshot', 'image_generation_call'] as const).map(
    (type) => [type, 'image'] as const,
  ),
  ...(['input_audio', 'audio_url', 'audio'] as const).map((type) => [type, 'audio'] as const),
  ...(['video_url', 'input_video', 'video'] as const).map((type) => [type, 'video'] as const),
  ...(['file', 'input_file', 'document'] as const).map((type) => [type, 'document'] as const),
  ...(['thinking', 'redacted_thinking', 'reasoning', 'compaction'] as const).map((type) => [type, 'sealed'] as const),
]);

/** Top-level fields with many objects and no media. */
const WITHOUT_MEDIA: ReadonlySet<string> = new Set([
  'tools',
  'functions',
  'response_format',
  'metadata',
  'cache_control',
]);
/** Objects within messages and items that the model reads as JSON text: arguments of tool calls, and schemas. */
const JSON_TEXT: ReadonlySet<string> = new Set([
  'input',
  'arguments',
  'parameters',
  'schema',
  'input_schema',
  'output_schema',
  'json_schema',
]);
/** Limits the time to a few milliseconds. Media in further objects counts as text, and `full` assumes that it fills the context window. */
const OBJECTS_MAX = 20_000;
const SEALED = /signature|encrypted/i;
const REFERENCE = /(?:^|_)(?:url|uri|id)$/;
/** The highest typical figure for a stored file or conversation. */
const FILE_TOKENS_TYPICAL_MAX = 32_000;

/** Tokens of a file or a conversation that the provider stores. Its size is unknown, but it fits the context window. */
export const storedTokens = ({ context }: ModelFigures): Range => ({
  typical: Math.min(Math.ceil(context / 4), FILE_TOKENS_TYPICAL_MAX),
  full: context,
});

/**
 * Finds media in a request of any format. It takes about 0.2 µs per object, and a few nanoseconds per byte of media. Encoded text in a
 * content part passes as media here, but fails at the provider.
 *
 * @param bytes length of the body
 */
export function findMedia(json: JsonObject, bytes: number, figures: ModelFigures): InputMedia {
  const search = new MediaSearch(bytes, figures);
  search.read(json);
  return search;
}

class MediaSearch implements InputMedia {
  readonly images: Range = { typical: 0, full: 0 };
  readonly audio: Range = { typical: 0, full: 0 };
  readonly files: Range = { typical: 0, full: 0 };
  cacheWrite: InputMedia['cacheWrite'] = null;
  private readonly open: object[] = [];
  /** The kind of part that contains each of `open`. */
  private readonly places: (Media | null)[] = [];
  private entered = 0;

  constructor(
    public textBytes: number,
    private readonly figures: ModelFigures,
  ) {}

  read(json: JsonObject): void {
    for (const name of Object.keys(json)) {
      const value = json[name];
      if (typeof value === 'string') this.readText(json, name, value, null);
      else if (!WITHOUT_MEDIA.has(name)) this.enter(value, null);
    }
    for (let value = this.open.pop(); value !== undefined; value = this.open.pop()) {
      const within = this.places.pop()!;
      if (Array.isArray(value)) this.enterAll(value, within);
      else this.readObject(value as JsonObject, within);
    }
    this.readCacheMarks(json);
    const { context } = this.figures;
    this.files.typical = Math.min(this.files.typical, context);
    this.files.full = this.entered > OBJECTS_MAX ? context : Math.min(this.files.full, context);
  }

  private enterAll(values: readonly unknown[], within: Media | null): void {
    for (const value of values) if (typeof value === 'object') this.enter(value, within);
  }

  private enter(value: unknown, within: Media | null): void {
    if (typeof value !== 'object' || value === null) return;
    this.entered += 1;
    if (this.entered > OBJECTS_MAX) return;
    this.open.push(value);
    this.places.push(within);
  }

  /** Reads the cache marks of the request itself and of its tools. The schemas of tools are not searched. */
  private readCacheMarks(json: JsonObject): void {
    const { tools } = json;
    for (const marked of [json, ...(Array.isArray(tools) ? (tools as unknown[]).slice(0, OBJECTS_MAX) : [])])
      if (isObject(marked) && isObject(marked['cache_control'])) this.noteCacheWrite(marked['cache_control']);
  }

  private readObject(object: JsonObject, within: Media | null): void {
    const { type } = object;
    const own = typeof type === 'string' ? PARTS.get(type) : undefined;
    if (own !== undefined) this.addPart(own, object);
    const media = own ?? within;
    for (const name of Object.keys(object)) {
      const value = object[name];
      if (typeof value === 'string') this.readText(object, name, value, media);
      else {
        if (name === 'cache_control' && isObject(value)) this.noteCacheWrite(value);
        // An earlier audio response that the provider has stored.
        if (name === 'audio' && isObject(value) && typeof value['id'] === 'string') this.addUnknown('audio');
        if (Array.isArray(value) || !JSON_TEXT.has(name)) this.enter(value, media);
      }
    }
  }

  private noteCacheWrite({ ttl }: JsonObject): void {
    if (ttl === '1h') this.cacheWrite = 'cache_write_1h';
    else this.cacheWrite ??= 'cache_write_5m';
  }

  /** The payload of a known kind of part is counted with the part. Elsewhere, a payload is probably media, but it can be text. */
  private readText(object: JsonObject, name: string, text: string, media: Media | null): void {
    if (!isMediaPayload(object, name, text)) return;
    this.textBytes -= text.length;
    if (media === 'sealed' || SEALED.test(name)) return addBytes(this.files, text.length, SEALED_BYTES_PER_TOKEN);
    if (media !== null) return;
    this.addMedia(mediaOf(text), text);
    this.files.full += text.length;
  }

  private addPart(media: Media, part: JsonObject): void {
    if (media === 'sealed') return;
    if (media === 'image') return this.addImage(isLowDetail(part));
    const payload = payloadIn(part);
    if (payload !== null) this.addMedia(media, payload);
    else if (isReference(part)) this.addUnknown(media);
  }

  private addMedia(media: Media, payload: string): void {
    const bytes = (payload.length * 3) / 4;
    if (media === 'image') this.addImage(false);
    else if (media === 'audio') this.addAudio(secondsOf(payload, bytes));
    else addBytes(this.files, bytes, media === 'video' ? VIDEO_BYTES_PER_TOKEN : DOCUMENT_BYTES_PER_TOKEN);
  }

  private addImage(low: boolean): void {
    const { image } = this.figures;
    this.images.typical += low ? image.low : image.typical;
    this.images.full += low ? image.low : image.full;
  }

  private addAudio(seconds: Range): void {
    this.audio.typical += Math.ceil(seconds.typical * AUDIO_TOKENS_PER_SECOND);
    this.audio.full += Math.ceil(seconds.full * AUDIO_TOKENS_PER_SECOND);
  }

  private addUnknown(media: Media): void {
    if (media === 'audio') return this.addAudio(AUDIO_SECONDS_UNKNOWN);
    const { typical, full } = storedTokens(this.figures);
    this.files.typical += typical;
    this.files.full += full;
  }
}

function addBytes(range: Range, bytes: number, perToken: Readonly<Range>): void {
  range.typical += Math.max(FILE_TOKENS_MIN, Math.ceil(bytes / perToken.typical));
  range.full += Math.max(FILE_TOKENS_MIN, Math.ceil(bytes / perToken.full));
}

function secondsOf(payload: string, bytes: number): Range {
  const rate = wavBytesPerSecond(firstPayloadBytes(payload, WAV_HEAD_BYTES));
  if (rate !== null) return { typical: bytes / rate, full: bytes / rate };
  return { typical: bytes / AUDIO_BYTES_PER_SECOND.typical, full: bytes / AUDIO_BYTES_PER_SECOND.full };
}

const isLowDetail = ({ detail, image_url }: JsonObject): boolean =>
  detail === 'low' || (isObject(image_url) && image_url['detail'] === 'low');

/** The longest payload of the part or of an object in it: `source.data`, `input_audio.data`, `file.file_data`. */
function payloadIn(part: JsonObject): string | null {
  let longest: string | null = null;
  for (const [object, name, value] of stringsIn(part)) {
    if (isMediaPayload(object, name, value) && value.length > (longest?.length ?? 0)) longest = value;
  }
  return longest;
}

function isReference(part: JsonObject): boolean {
  for (const [, name, value] of stringsIn(part)) if (value !== '' && REFERENCE.test(name)) return true;
  return false;
}

function* stringsIn(part: JsonObject): Generator<readonly [object: JsonObject, name: string, value: string]> {
  for (const name of Object.keys(part)) {
    const value = part[name];
    if (typeof value === 'string') yield [part, name, value];
    else if (isObject(value)) {
      for (const inner of Object.keys(value)) {
        const text = value[inner];
        if (typeof text === 'string') yield [value, inner, text];
      }
    }
  }
}
