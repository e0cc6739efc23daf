import {
  NO_DETAILS,
  type OtherModelUsage,
  type UnmeasuredKind,
  type UsageDetails,
} from '../../platform/request-context/token-usage.js';
import type { DetailFigures, ModelTokens } from './detail-figures.js';
import type { RequestedUnits } from './requested-units.js';
import type { UsageReader } from './usage-formats.data.js';
import { TOKENS_MAX, type UsageReport } from './usage-report.js';

/**
 * Interprets the reported figures, and completes them with those of the request. Returns null if neither has any.
 */
export function detailsOf(
  figures: DetailFigures | null,
  report: UsageReport | null,
  reader: UsageReader,
  requested: RequestedUnits,
): UsageDetails | null {
  const reasoning = reasoningOf(figures, report, reader);
  if (figures?.some !== true && reasoning.includes && !asksForUnits(requested)) return null;
  const output = report?.output ?? 0;
  const oneKind = (figures?.audioOutput ?? null) === null && (figures?.imageOutput ?? null) === null;
  const cacheWrite1h = figures?.cacheWrite1h ?? 0;
  const speed = figures?.speed ?? null;
  // A reported speed takes precedence over the requested one. Without fast mode, Anthropic charges the standard price.
  const serviceTier = speed === 'fast' ? speed : (figures?.serviceTier ?? speed);
  const region = figures?.region ?? null;
  const unmeasured = unmeasuredOf(figures, report, requested);
  return {
    inputIncludesCache: includesCache(figures, report, reader),
    outputIncludesReasoning: reasoning.includes,
    mediaOnly: requested.mediaOnly,
    cachedInput: figures?.cachedInput ?? 0,
    cacheWrite5m: Math.max(figures?.cacheWrite5m ?? 0, (figures?.cacheWrite ?? 0) - cacheWrite1h),
    cacheWrite1h,
    reasoning: reasoning.tokens,
    audioInput: figures?.audioInput ?? 0,
    cachedAudioInput: figures?.cachedAudioInput ?? 0,
    audioOutput: figures?.audioOutput ?? (requested.output === 'audio' && oneKind ? output : 0),
    imageInput: figures?.imageInput ?? 0,
    imageOutput: figures?.imageOutput ?? (requested.output === 'image' && oneKind ? output : 0),
    webSearches: figures === null ? 0 : webSearchesOf(figures),
    fileSearches: sum(figures?.fileSearches, figures?.documentSearches ?? requested.fileSearches),
    codeExecutions: figures?.codeExecutions ?? requested.codeExecutions ?? 0,
    images: figures?.images ?? requested.images ?? 0,
    audioSeconds: bounded(Math.ceil(figures?.seconds ?? 0)),
    characters: requested.characters ?? 0,
    videoSeconds: videoSecondsOf(figures, requested),
    megabytes: unmeasured === null ? 0 : (requested.megabytes ?? 0),
    serviceTier,
    region,
    requestedTier: serviceTier === null ? requested.serviceTier : null,
    requestedRegion: region === null ? requested.region : null,
    imageSize: figures?.imageSize ?? requested.imageSize,
    imageQuality: figures?.imageQuality ?? requested.imageQuality,
    unmeasured,
    reportedCostNanoUsd: figures === null ? null : costOf(figures),
    others: figures === null ? null : othersOf(figures, requested.imageModel),
  };
}

function videoSecondsOf(figures: DetailFigures | null, { unreported, videoSeconds }: RequestedUnits): number {
  return unreported.includes('video_seconds') ? (figures?.videoSeconds ?? videoSeconds ?? 0) : 0;
}

function unmeasuredOf(
  figures: DetailFigures | null,
  report: UsageReport | null,
  { unreported, neverReported }: RequestedUnits,
): readonly UnmeasuredKind[] | null {
  if (unreported.length === 0) return null;
  if (neverReported) return unreported;
  const isReported = unreported.includes('web_searches')
    ? figures !== null && (figures.webSearches ?? figures.xSearches ?? figures.sources) !== null
    : report !== null || (figures?.seconds ?? null) !== null;
  return isReported ? null : unreported;
}

/** The default model of the tool in July 2026. */
const IMAGE_TOOL_MODEL = 'gpt-image-2.6-sunburst';

function othersOf(figures: DetailFigures, imageModel: string | null): readonly OtherModelUsage[] | null {
  const image = imageToolOf(figures, imageModel ?? IMAGE_TOOL_MODEL);
  const models = figures.models?.map(includedUsage) ?? [];
  if (image === null) return models.length === 0 ? null : models;
  return [...models, image];
}

const includedUsage = ({ model, input, output, ...caches }: ModelTokens): OtherModelUsage => ({
  model,
  included: true,
  inputTokens: input,
  outputTokens: output,
  details: { ...NO_DETAILS, ...caches, inputIncludesCache: false },
});

/** The usage of the image generation tool. OpenAI reports it separately from the usage of the model that called the tool. */
function imageToolOf(figures: DetailFigures, model: string): OtherModelUsage | null {
  const { imageToolInput: input, imageToolOutput: output, imageToolCalls: images } = figures;
  if ((input ?? 0) === 0 && (output ?? 0) === 0) return images === null ? null : unreportedImages(model, images);
  return {
    model,
    included: false,
    inputTokens: input ?? 0,
    outputTokens: output ?? 0,
    details: {
      ...NO_DETAILS,
      cachedInput: figures.imageToolCachedInput ?? 0,
      imageInput: figures.imageToolImageInput ?? 0,
      imageOutput: figures.imageToolImageOutput ?? output ?? 0,
      mediaOnly: true,
    },
  };
}

const asksForUnits = (requested: RequestedUnits): boolean =>
  requested.images !== null ||
  requested.characters !== null ||
  requested.serviceTier !== null ||
  requested.region !== null ||
  requested.fileSearches !== null ||
  requested.codeExecutions !== null ||
  requested.unreported.length > 0;

/** Images whose tokens the response does not report. A price per image can apply to them. */
const unreportedImages = (model: string, images: number): OtherModelUsage => ({
  model,
  included: false,
  inputTokens: 0,
  outputTokens: 0,
  details: { ...NO_DETAILS, images, unmeasured: ['image_output'] },
});

/** More cached tokens than input tokens show that an OpenAI format has Anthropic's meaning, as some proxies send it. */
function includesCache(figures: DetailFigures | null, report: UsageReport | null, reader: UsageReader): boolean {
  if (reader.inParts === true) return false;
  const input = report?.input ?? null;
  return figures === null || input === null || cachedOf(figures) <= input;
}

const cachedOf = ({ cachedInput, cacheWrite, cacheWrite5m, cacheWrite1h }: DetailFigures): number =>
  (cachedInput ?? 0) + Math.max(cacheWrite ?? 0, (cacheWrite5m ?? 0) + (cacheWrite1h ?? 0));

interface Reasoning {
  readonly tokens: number;
  readonly includes: boolean;
}

/**
 * Some providers report reasoning in addition to the output. In that case, the total exceeds input and output, or reasoning
 * exceeds the output, or the report has citations (Perplexity).
 */
function reasoningOf(figures: DetailFigures | null, report: UsageReport | null, reader: UsageReader): Reasoning {
  if (figures === null) return { tokens: 0, includes: true };
  const { thoughts, total, citations } = figures;
  // Gemini's `candidatesTokenCount` does not include thoughts.
  if (thoughts !== null) return { tokens: thoughts, includes: thoughts === 0 };
  const tokens = figures.reasoning ?? 0;
  const { input = null, output = null } = report ?? {};
  if (input === null || output === null) return { tokens, includes: true };
  const rest = total === null ? 0 : total - input - output;
  if (tokens > 0) return { tokens, includes: tokens <= output && rest < tokens && citations === null };
  // Gemini's OpenAI format reports thoughts in the total only.
  const isText = reader.estimates === 'request and response' && reader.inParts !== true;
  return isText && rest > 0 && rest !== cachedOf(figures)
    ? { tokens: rest, includes: false }
    : { tokens: 0, includes: true };
}

/** xAI billed sources before it billed calls. */
const webSearchesOf = ({ webSearches, xSearches, sources }: DetailFigures): number =>
  webSearches === null && xSearches === null ? (sources ?? 0) : sum(webSearches, xSearches);

const bounded = (count: number): number => Math.min(TOKENS_MAX, count);
const sum = (one: number | null = null, other: number | null = null): number => bounded((one ?? 0) + (other ?? 0));

function costOf({ ticks, usd, upstreamUsd, byok }: DetailFigures): number | null {
  // xAI counts in ticks of 1e-10 USD.
  if (ticks !== null) return plausible(Math.ceil(ticks / 10));
  if (usd === null) return null;
  // With the customer's own key, OpenRouter's `cost` is its fee only.
  return nanoUsd(byok === true ? usd + (upstreamUsd ?? 0) : usd);
}

/** 15 digits remove the error of binary fractions: 0.00014 is 140,000, not 140,001. */
const nanoUsd = (usd: number): number | null => plausible(Math.ceil(Number((usd * 1e9).toPrecision(15))));

/** 10,000 USD. A provider that states more for one request is wrong, and sums of such costs could exceed the database's integers. */
const COST_NANOS_MAX = 1e13;

const plausible = (nanos: number): number | null => (nanos >= 0 && nanos <= COST_NANOS_MAX ? nanos : null);
