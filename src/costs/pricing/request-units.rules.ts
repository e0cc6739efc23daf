import type { TokenUsage, OtherModelUsage, UsageDetails } from '../../platform/request-context/token-usage.js';
import { USAGE_KINDS, type Units, type UsageKind } from '../usage-kinds.data.js';

/** The units that a request is billed for. The kinds do not overlap, and their sums are the reported totals. */
export interface UsageKinds {
  /** Only counts above 0. */
  readonly units: Units;
  /** All tokens of the input, including caches. They select the price tier. */
  readonly inputTokens: number;
  /** Tokens within `output`. */
  readonly reasoning: number;
  /** See `UsageDetails`. */
  readonly mediaOnly: boolean;
  readonly imageSize: string | null;
  readonly imageQuality: string | null;
  /** Kinds that were used and whose number is unknown. */
  readonly unmeasured: readonly UsageKind[];
  /** Reported figures that contradict each other or are not counts. They were limited to the possible range. */
  readonly corrected: readonly string[];
}

/** The usage of a request by model. */
interface UsageParts {
  /** Without the usage of other models. */
  readonly own: UsageKinds;
  readonly others: readonly { readonly model: string; readonly included: boolean; readonly kinds: UsageKinds }[];
  readonly total: UsageKinds;
}

/** The kinds of usage, without those that count only if they have a price, such as the request itself. */
export const usedKinds = (units: Units): UsageKind[] =>
  (Object.keys(units) as UsageKind[]).filter((kind) => USAGE_KINDS[kind].needsPrice !== 'never');

/** Whether the request used anything that is billed, apart from the request itself. */
export function hasUsage({ units, unmeasured }: UsageKinds): boolean {
  if (unmeasured.length > 0) return true;
  for (const kind in units) if (USAGE_KINDS[kind as UsageKind].needsPrice !== 'never') return true;
  return false;
}

const NOTHING_UNMEASURED: readonly UsageKind[] = [];

/**
 * Converts a report of either vendor to units with a price each. OpenAI's `inputTokens` includes cached tokens, audio and images.
 * Anthropic's excludes tokens that were read from or written to a cache. A part that exceeds its total is limited to it.
 *
 * @param details null if the response has no details; all tokens are then text that was not cached
 */
export function kindsOf(usage: TokenUsage, details: UsageDetails | null): UsageKinds {
  const report = new Report();
  const inputTokens = report.count('inputTokens', usage.inputTokens);
  const outputTokens = report.count('outputTokens', usage.outputTokens);
  if (details === null) {
    const units = unitsOf({ input: inputTokens, output: outputTokens });
    return {
      units,
      inputTokens,
      reasoning: 0,
      mediaOnly: false,
      imageSize: null,
      imageQuality: null,
      unmeasured: NOTHING_UNMEASURED,
      corrected: report.corrected,
    };
  }
  const counts = countsOf(details, report);
  const input = inputOf(inputTokens, counts, details.inputIncludesCache, report);
  const output = outputOf(outputTokens, counts, details.outputIncludesReasoning, report);
  const units = unitsOf({
    input: input.text,
    cached_input: input.cachedText,
    cache_write_5m: input.cacheWrite5m,
    cache_write_1h: input.cacheWrite1h,
    output: output.text,
    audio_input: input.audio,
    cached_audio_input: input.cachedAudio,
    audio_output: output.audio,
    image_input: input.image,
    cached_image_input: input.cachedImage,
    image_output: output.image,
    web_searches: counts.webSearches,
    file_searches: counts.fileSearches,
    code_executions: counts.codeExecutions,
    images: counts.images,
    audio_seconds: counts.audioSeconds,
    characters: counts.characters,
    video_seconds: counts.videoSeconds,
    megabytes: counts.megabytes,
  });
  const { imageSize, imageQuality } = details;
  return {
    units,
    inputTokens: input.tokens,
    reasoning: output.reasoning,
    mediaOnly: details.mediaOnly,
    imageSize,
    imageQuality,
    unmeasured: details.unmeasured ?? NOTHING_UNMEASURED,
    corrected: report.corrected,
  };
}

/** Separates the usage of other models. A part that exceeds the rest of its total is limited to it. */
export function partsOf(
  usage: TokenUsage,
  details: UsageDetails & { readonly others: readonly OtherModelUsage[] },
): UsageParts {
  const included = details.others.filter((other) => other.included);
  const rest = (total: number, of: (other: OtherModelUsage) => number): number =>
    Math.max(0, total - included.reduce((sum, other) => sum + of(other), 0));
  const ownUsage = {
    ...usage,
    inputTokens: rest(usage.inputTokens, (other) => other.inputTokens),
    outputTokens: rest(usage.outputTokens, (other) => other.outputTokens),
  };
  const own = kindsOf(ownUsage, {
    ...details,
    cachedInput: rest(details.cachedInput, (other) => other.details.cachedInput),
    cacheWrite5m: rest(details.cacheWrite5m, (other) => other.details.cacheWrite5m),
    cacheWrite1h: rest(details.cacheWrite1h, (other) => other.details.cacheWrite1h),
    reasoning: Math.min(details.reasoning, ownUsage.outputTokens),
  });
  const others = details.others.map((other) => ({
    model: other.model,
    included: other.included,
    kinds: withoutRequest(kindsOf({ ...other, provenance: usage.provenance }, other.details)),
  }));
  return { own, others, total: [own, ...others.map(({ kinds: part }) => part)].reduce(sumOf) };
}

function withoutRequest({ units, ...rest }: UsageKinds): UsageKinds {
  const others = { ...units };
  delete others.requests;
  return { ...rest, units: others };
}

function sumOf(a: UsageKinds, b: UsageKinds): UsageKinds {
  const units: Partial<Record<UsageKind, number>> = { ...a.units };
  for (const [kind, count] of Object.entries(b.units) as [UsageKind, number][])
    units[kind] = (units[kind] ?? 0) + count;
  return {
    ...a,
    units,
    inputTokens: a.inputTokens + b.inputTokens,
    reasoning: a.reasoning + b.reasoning,
    unmeasured: [...new Set([...a.unmeasured, ...b.unmeasured])],
    corrected: [...new Set([...a.corrected, ...b.corrected])],
  };
}

type Counts = ReturnType<typeof countsOf>;

/** A loop over the names would take most of the time of a request's cost. */
function countsOf(details: UsageDetails, report: Report) {
  return {
    cachedInput: report.count('cachedInput', details.cachedInput),
    cacheWrite5m: report.count('cacheWrite5m', details.cacheWrite5m),
    cacheWrite1h: report.count('cacheWrite1h', details.cacheWrite1h),
    reasoning: report.count('reasoning', details.reasoning),
    audioInput: report.count('audioInput', details.audioInput),
    cachedAudioInput: report.count('cachedAudioInput', details.cachedAudioInput),
    audioOutput: report.count('audioOutput', details.audioOutput),
    imageInput: report.count('imageInput', details.imageInput),
    imageOutput: report.count('imageOutput', details.imageOutput),
    webSearches: report.count('webSearches', details.webSearches),
    fileSearches: report.count('fileSearches', details.fileSearches),
    codeExecutions: report.count('codeExecutions', details.codeExecutions),
    images: report.count('images', details.images),
    audioSeconds: report.count('audioSeconds', details.audioSeconds),
    characters: report.count('characters', details.characters),
    videoSeconds: report.count('videoSeconds', details.videoSeconds),
    megabytes: report.count('megabytes', details.megabytes),
  };
}

/**
 * Cached tokens include cached audio and cached images. Reports can lack these two parts. Cached tokens are therefore text first,
 * and audio or images only as far as the totals require it.
 */
function inputOf(inputTokens: number, counts: Counts, includesCache: boolean, report: Report) {
  const caches = counts.cachedInput + counts.cacheWrite5m + counts.cacheWrite1h;
  const tokens = includesCache ? inputTokens : inputTokens + caches;
  const cached = report.within('cachedInput', counts.cachedInput, tokens);
  const cacheWrite5m = report.within('cacheWrite5m', counts.cacheWrite5m, tokens - cached);
  const cacheWrite1h = report.within('cacheWrite1h', counts.cacheWrite1h, tokens - cached - cacheWrite5m);
  const uncached = tokens - cached - cacheWrite5m - cacheWrite1h;
  const allAudio = report.within('audioInput', counts.audioInput, tokens);
  const reportedCachedAudio = report.within('cachedAudioInput', counts.cachedAudioInput, Math.min(cached, allAudio));
  const audio = Math.min(allAudio - reportedCachedAudio, uncached);
  const cachedAudio = Math.min(allAudio - audio, cached);
  const allImages = report.within('imageInput', counts.imageInput, tokens - allAudio);
  const image = Math.min(allImages, uncached - audio);
  const cachedImage = Math.min(allImages - image, cached - cachedAudio);
  return {
    tokens,
    text: uncached - audio - image,
    cachedText: cached - cachedAudio - cachedImage,
    cacheWrite5m,
    cacheWrite1h,
    audio,
    cachedAudio,
    image,
    cachedImage,
  };
}

function outputOf(outputTokens: number, counts: Counts, includesReasoning: boolean, report: Report) {
  const tokens = includesReasoning ? outputTokens : outputTokens + counts.reasoning;
  const audio = report.within('audioOutput', counts.audioOutput, tokens);
  const image = report.within('imageOutput', counts.imageOutput, tokens - audio);
  const text = tokens - audio - image;
  return { text, audio, image, reasoning: report.within('reasoning', counts.reasoning, text) };
}

/** The counts above 0, and the request itself. */
function unitsOf(counted: Units): Units {
  const units: Partial<Record<UsageKind, number>> = {};
  for (const name in counted) {
    const kind = name as UsageKind;
    const count = counted[kind]!;
    if (count > 0) units[kind] = count;
  }
  units.requests = 1;
  return units;
}

/** More than any real report. Sums of counts remain exact integers. */
const COUNT_MAX = 2 ** 48;

const isCount = (value: number): boolean => Number.isInteger(value) && value >= 0 && value <= COUNT_MAX;

class Report {
  readonly corrected: string[] = [];

  /** @returns an integer between 0 and `COUNT_MAX`, rounded up */
  count(name: string, value: number): number {
    if (isCount(value)) return value;
    this.corrected.push(name);
    return Number.isNaN(value) ? 0 : Math.min(Math.max(Math.ceil(value), 0), COUNT_MAX);
  }

  within(name: string, part: number, total: number): number {
    if (part <= total) return part;
    if (!this.corrected.includes(name)) this.corrected.push(name);
    return total;
  }
}
