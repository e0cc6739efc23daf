import type { components } from '../api/schema';

export type UsageKind = components['schemas']['MissingPriceResponse']['unpriced_kinds'][number];

/** The kinds of usage that have prices, in the order of a form. */
const USAGE_KINDS: Readonly<Record<UsageKind, string>> = {
  input: 'Input',
  cached_input: 'Cached input',
  cache_write_5m: 'Cache writes (5 minutes)',
  cache_write_1h: 'Cache writes (1 hour)',
  output: 'Output',
  reasoning: 'Reasoning',
  citations: 'Citations',
  audio_input: 'Audio input',
  cached_audio_input: 'Cached audio input',
  audio_output: 'Audio output',
  image_input: 'Image input',
  cached_image_input: 'Cached image input',
  image_output: 'Image output',
  video_input: 'Video input',
  video_output: 'Video output',
  web_searches: 'Web searches',
  file_searches: 'File searches',
  code_executions: 'Code executions',
  images: 'Images',
  audio_seconds: 'Seconds of audio',
  characters: 'Characters',
  video_seconds: 'Seconds of video',
  megabytes: 'Megabytes',
  document_pages: 'Document pages',
  annotated_pages: 'Annotated pages',
  text_messages: 'Text messages',
  requests: 'Requests',
};

export const USAGE_KIND_NAMES = Object.keys(USAGE_KINDS) as readonly UsageKind[];

/** A record can have a kind of another release, which keeps its name. */
export const kindInWords = (kind: string): string => (kind in USAGE_KINDS ? USAGE_KINDS[kind as UsageKind] : kind);

/** Formats `per 1,000 hours` and `per million tokens`. */
export function unitOfPrice(kind: UsageKind): string {
  if (kind === 'audio_seconds') return 'per 1,000 hours';
  if (!COUNTED_BY_NAME.has(kind)) return 'per million tokens';
  return `per million ${USAGE_KINDS[kind].toLowerCase()}`;
}

const COUNTED_BY_NAME: ReadonlySet<UsageKind> = new Set([
  'web_searches' as const,
  'file_searches' as const,
  'code_executions' as const,
  'images' as const,
  'characters' as const,
  'video_seconds' as const,
  'megabytes' as const,
  'document_pages' as const,
  'annotated_pages' as const,
  'text_messages' as const,
  'requests' as const,
]);
