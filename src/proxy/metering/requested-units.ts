import { BILLED_UNITS, type BilledUnits } from '../../platform/routes/billed-units.data.js';
import type { RequestContext } from '../../platform/request-context/request-context.js';
import type { UnmeasuredKind } from '../../platform/request-context/token-usage.js';
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
  readonly videoSeconds: number | null;
  readonly fileSearches: number | null;
  readonly codeExecutions: number | null;
  readonly serviceTier: string | null;
  readonly region: string | null;
  /** The model of the image generation tool. */
  readonly imageModel: string | null;
  /** The kind of output tokens if the report does not distinguish them. */
  readonly output: 'text' | 'image' | 'audio';
  /** See `UsageDetails`. */
  readonly mediaOnly: boolean;
  /** Usage that the provider bills, and that counts as unmeasured if the response does not report it. */
  readonly unreported: readonly UnmeasuredKind[];
  /** The response to this request never reports that usage. */
  readonly neverReported: boolean;
  /** A later response can report it. */
  readonly later: boolean;
  /** Started megabytes of the body. Null if they do not help to price the request. */
  readonly megabytes: number | null;
  /** Whether the response can contain calls of hosted tools. */
  readonly hostedTools: boolean;
}

export const NOTHING_REQUESTED: RequestedUnits = {
  images: null,
  imageSize: null,
  imageQuality: null,
  characters: null,
  videoSeconds: null,
  fileSearches: null,
  codeExecutions: null,
  serviceTier: null,
  region: null,
  imageModel: null,
  output: 'text',
  mediaOnly: false,
  unreported: [],
  neverReported: false,
  later: false,
  megabytes: null,
  hostedTools: true,
};

const NO_TOOLS: RequestedUnits = { ...NOTHING_REQUESTED, hostedTools: false };

type Json = Readonly<Record<string, unknown>>;

/** Call it before `releaseJson`. Without a parsed body, only the route is known. */
export function requestedUnits({ route, body: { json, bytes } }: RequestContext): RequestedUnits {
  if (route?.kind !== 'gateway') return NOTHING_REQUESTED;
  const { endpoint } = route;
  const billed = BILLED_UNITS.get(endpoint);
  if (billed !== undefined && (billed.unreported.length > 0 || !billed.units.includes('tokens')))
    return unitsOfRoute(billed, json, bytes);
  if (json === null) return NOTHING_REQUESTED;
  if (endpoint.startsWith('/v1/images/')) return imageUnits(json);
  if (endpoint === '/v1/audio/speech') return speechUnits(json);
  const units = textUnits(json);
  const isBackground = endpoint === '/v1/responses' && json['background'] === true;
  return isBackground ? { ...units, unreported: BACKGROUND, later: true } : units;
}

/** A background response is complete after the response to its request. */
const BACKGROUND: readonly UnmeasuredKind[] = ['input', 'output'];

/** The units of a route whose responses can fail to report them, or whose requests have a fixed number of them. */
function unitsOfRoute(
  { units, unreported, never, later }: BilledUnits,
  json: Json | null,
  bytes: Buffer | null,
): RequestedUnits {
  const isVideo = units.includes('video_seconds');
  return {
    ...NOTHING_REQUESTED,
    videoSeconds: isVideo ? secondsIn(json?.['seconds']) : null,
    imageSize: isVideo ? chosen(json?.['size']) : null,
    fileSearches: units.includes('file_searches') && unreported.length === 0 ? 1 : null,
    codeExecutions: units.includes('code_executions') && unreported.length === 0 ? 1 : null,
    unreported,
    neverReported: never === true,
    later: later === true,
    mediaOnly: units.includes('audio_seconds'),
    megabytes: units.includes('audio_seconds') && bytes !== null ? Math.ceil(bytes.length / 1e6) : null,
  };
}

/** OpenAI's `seconds` is text. */
function secondsIn(value: unknown): number | null {
  const seconds = typeof value === 'string' && /^\d{1,6}$/.test(value) ? Number(value) : value;
  return Number.isInteger(seconds) && (seconds as number) > 0 ? Math.min(TOKENS_MAX, seconds as number) : null;
}

const WEB_SEARCHES: readonly UnmeasuredKind[] = ['web_searches'];

function textUnits(json: Json): RequestedUnits {
  const serviceTier = json['speed'] === 'fast' ? 'fast' : tierOf(json['service_tier']);
  const region = wordOf(json['inference_geo']);
  const hostedTools = mentionsHostedTools(json);
  const imageModel = hostedTools ? imageModelOf(json) : null;
  const searches = searchesTheWeb(json);
  if (serviceTier === null && region === null && imageModel === null && !searches)
    return hostedTools ? NOTHING_REQUESTED : NO_TOOLS;
  const unreported = searches ? WEB_SEARCHES : [];
  return { ...NOTHING_REQUESTED, serviceTier, region, imageModel, hostedTools, unreported };
}

/** OpenAI's search models search without a tool, and chat completions do not report how often. */
const SEARCH_MODEL = /-search-(?:preview|api)(?:-|$)/;

const searchesTheWeb = ({ model, web_search_options: options }: Json): boolean =>
  (typeof options === 'object' && options !== null) || (typeof model === 'string' && SEARCH_MODEL.test(model));

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
    mediaOnly: true,
  };
}

function speechUnits({ input }: Json): RequestedUnits {
  return {
    ...NOTHING_REQUESTED,
    characters: typeof input === 'string' ? codePoints(input) : null,
    output: 'audio',
    mediaOnly: true,
  };
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
