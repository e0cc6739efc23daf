import type { RequestContext } from '../../platform/request-context/request-context.js';
import { modelNameOf, wordOf } from './detail-figures.js';
import { TOKENS_MAX } from './usage-report.js';

/**
 * Units that the request asks for, because responses do not report everything that the provider bills. A unit is null if the request does not
 * ask for it, or lets the provider choose it.
 */
export interface RequestedUnits {
  readonly images: number | null;
  readonly imageSize: string | null;
  readonly imageQuality: string | null;
  /** Unicode code points of the text to speak. */
  readonly characters: number | null;
  readonly serviceTier: string | null;
  readonly region: string | null;
  /** The model of the image generation tool. */
  readonly imageModel: string | null;
  /** The kind of output tokens if the report does not distinguish them. */
  readonly output: 'text' | 'image' | 'audio';
  /** A kind of usage that the response shows only in some formats. */
  readonly measured: 'audio_seconds' | null;
  /** Whether the response can contain calls of hosted tools. */
  readonly hostedTools: boolean;
}

export const NOTHING_REQUESTED: RequestedUnits = {
  images: null,
  imageSize: null,
  imageQuality: null,
  characters: null,
  serviceTier: null,
  region: null,
  imageModel: null,
  output: 'text',
  measured: null,
  hostedTools: true,
};

const NO_TOOLS: RequestedUnits = { ...NOTHING_REQUESTED, hostedTools: false };

type Json = Readonly<Record<string, unknown>>;

/** Call it before `releaseJson`. Without a parsed body, nothing is known. */
export function requestedUnits({ route, body: { json } }: RequestContext): RequestedUnits {
  if (route?.kind !== 'gateway' || json === null) return NOTHING_REQUESTED;
  const { endpoint } = route;
  if (endpoint.startsWith('/v1/images/')) return imageUnits(json);
  if (endpoint === '/v1/audio/speech') return speechUnits(json);
  if (endpoint.startsWith('/v1/audio/')) return { ...NOTHING_REQUESTED, measured: 'audio_seconds' };
  const serviceTier = json['speed'] === 'fast' ? 'fast' : tierOf(json['service_tier']);
  const region = wordOf(json['inference_geo']);
  const hostedTools = mentionsHostedTools(json);
  const imageModel = hostedTools ? imageModelOf(json) : null;
  if (serviceTier === null && region === null && imageModel === null) return hostedTools ? NOTHING_REQUESTED : NO_TOOLS;
  return { ...NOTHING_REQUESTED, serviceTier, region, imageModel, hostedTools };
}

/** In a form, `n` is text. */
function imageUnits(json: Json): RequestedUnits {
  const given = json['n'] ?? 1;
  // `Number` throws for some objects, such as one whose `valueOf` and `toString` are null.
  const n = typeof given === 'object' ? NaN : Number(given);
  return {
    ...NOTHING_REQUESTED,
    images: Number.isInteger(n) && n >= 0 && n <= TOKENS_MAX ? n : 1,
    imageSize: chosen(json['size']),
    imageQuality: chosen(json['quality']),
    output: 'image',
  };
}

function speechUnits({ input }: Json): RequestedUnits {
  return { ...NOTHING_REQUESTED, characters: typeof input === 'string' ? codePoints(input) : null, output: 'audio' };
}

function codePoints(text: string): number {
  let pairs = 0;
  for (let at = 0; at < text.length; at++) if (text.codePointAt(at)! > 0xffff) pairs += 1;
  return text.length - pairs;
}

const chosen = (value: unknown): string | null => (value === 'auto' ? null : wordOf(value));

/** Anthropic's `standard_only` and `auto` leave the tier to the provider, and so does OpenAI's `auto`. */
const tierOf = (value: unknown): string | null =>
  value === 'auto' || value === 'standard_only' ? null : wordOf(value);

const HOSTED = /^(?:web_search|file_search|code_interpreter|image_generation)/;

/**
 * Returns the model of the first image generation tool. A request has at most one, and the response reports the sum of its images.
 */
function imageModelOf({ tools }: Json): string | null {
  if (!Array.isArray(tools)) return null;
  const tool = (tools as (Json | null)[]).find((each) => each?.['type'] === 'image_generation');
  return modelNameOf(tool?.['model']);
}

const isHosted = (type: unknown): boolean => typeof type === 'string' && HOSTED.test(type);

function mentionsHostedTools({ tools, prompt }: Json): boolean {
  // A stored prompt of the provider can contain tools.
  if (typeof prompt === 'object' && prompt !== null) return true;
  return Array.isArray(tools) && (tools as (Json | null)[]).some((tool) => isHosted(tool?.['type']));
}
