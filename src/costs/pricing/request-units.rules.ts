import type { TokenUsage, OtherModelUsage, UsageDetails } from '../../platform/request-context/token-usage.js';
import type { Units, UsageKind } from '../usage-kinds.data.js';

/** The units that a request is billed for. The kinds do not overlap, and their sums are the reported totals. */
export interface UsageKinds {
  /** Only counts above 0. */
  readonly units: Units;
  /** All tokens of the input, including caches. They select the price tier. */
  readonly inputTokens: number;
  /** Tokens within `output`. */
  readonly reasoning: number;
  readonly imageSize: string | null;
  readonly imageQuality: string | null;
  /** Reported figures that contradict each other or are not counts. They were limited to the possible range. */
  readonly corrected: readonly string[];
}

/** The usage of a request by model. */
interface UsageParts {
  /** Without the usage of other models. */
  readonly own: UsageKinds;
  readonly others: readonly { readonly model: string; readonly included: boolean; readonly kinds: UsageKinds }[];
  /** The sum of all parts. */
  readonly total: UsageKinds;
}

/** The kinds of units, without the request itself. */
export const usedKinds = (units: Units): UsageKind[] =>
  (Object.keys(units) as UsageKind[]).filter((kind) => kind !== 'requests');

const COUNTS = [
  'cachedInput',
  'cacheWrite5m',
  'cacheWrite1h',
  'reasoning',
  'audioInput',
  'cachedAudioInput',
  'audioOutput',
  'imageInput',
  'imageOutput',
  'webSearches',
  'fileSearches',
  'codeExecutions',
  'images',
  'audioSeconds',
  'characters',
] as const;

type Counts = Readonly<Record<(typeof COUNTS)[number], number>>;

/**
 * Converts a report of either vendor to units with a price each. OpenAI's `inputTokens` includes cached tokens, audio and images.
 * Anthropic's excludes tokens that were read from or written to a cache. A part that exceeds its total is limited to it.
 *
 * @param details null if the response has no details; all tokens are then text that was not cached
 */
export function kindsOf(usage: TokenUsage, details: UsageDetails | null): UsageKinds {
  const report = new Report();
  const total = {
    input: report.count('inputTokens', usage.inputTokens),
    output: report.count('outputTokens', usage.outputTokens),
  };
  if (details === null) return kinds(total, total.input, 0, null, report);
  const counts = report.countsOf(details);
  if (!details.outputIncludesReasoning) total.output += counts.reasoning;
  const input = inputKinds(total.input, counts, details.inputIncludesCache, report);
  const audio_output = report.within('audioOutput', counts.audioOutput, total.output);
  const image_output = report.within('imageOutput', counts.imageOutput, total.output - audio_output);
  const output = total.output - audio_output - image_output;
  const reasoning = report.within('reasoning', counts.reasoning, output);
  const calls = {
    web_searches: counts.webSearches,
    file_searches: counts.fileSearches,
    code_executions: counts.codeExecutions,
    images: counts.images,
    audio_seconds: counts.audioSeconds,
    characters: counts.characters,
  };
  const units = { ...input.units, audio_output, image_output, output, ...calls };
  return kinds(units, input.tokens, reasoning, details, report);
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
    corrected: [...new Set([...a.corrected, ...b.corrected])],
  };
}

/**
 * Cached tokens include cached audio and cached images. Reports can lack these two parts. Cached tokens are therefore text first,
 * and audio or images only as far as the totals require it.
 */
function inputKinds(inputTokens: number, counts: Counts, includesCache: boolean, report: Report) {
  const caches = counts.cachedInput + counts.cacheWrite5m + counts.cacheWrite1h;
  const tokens = includesCache ? inputTokens : inputTokens + caches;
  const cached = report.within('cachedInput', counts.cachedInput, tokens);
  const cache_write_5m = report.within('cacheWrite5m', counts.cacheWrite5m, tokens - cached);
  const cache_write_1h = report.within('cacheWrite1h', counts.cacheWrite1h, tokens - cached - cache_write_5m);
  const audio = report.within('audioInput', counts.audioInput, tokens);
  const cachedAudio = report.within('cachedAudioInput', counts.cachedAudioInput, Math.min(cached, audio));
  const uncached = tokens - cached - cache_write_5m - cache_write_1h;
  const audio_input = Math.min(audio - cachedAudio, uncached);
  const cached_audio_input = Math.min(audio - audio_input, cached);
  const images = report.within('imageInput', counts.imageInput, tokens - audio);
  const image_input = Math.min(images, uncached - audio_input);
  const cached_image_input = Math.min(images - image_input, cached - cached_audio_input);
  return {
    tokens,
    units: {
      input: uncached - audio_input - image_input,
      cached_input: cached - cached_audio_input - cached_image_input,
      cache_write_5m,
      cache_write_1h,
      audio_input,
      cached_audio_input,
      image_input,
      cached_image_input,
    },
  };
}

function kinds(
  counted: Partial<Record<UsageKind, number>>,
  inputTokens: number,
  reasoning: number,
  details: UsageDetails | null,
  { corrected }: Report,
): UsageKinds {
  const units: Partial<Record<UsageKind, number>> = {};
  for (const kind in counted)
    if (counted[kind as UsageKind]! > 0) units[kind as UsageKind] = counted[kind as UsageKind];
  units.requests = 1;
  const { imageSize = null, imageQuality = null } = details ?? {};
  return { units, inputTokens, reasoning, imageSize, imageQuality, corrected };
}

/** More than any real report. Sums of counts remain exact integers. */
const COUNT_MAX = 2 ** 48;

const isCount = (value: number): boolean => Number.isInteger(value) && value >= 0 && value <= COUNT_MAX;

class Report {
  readonly corrected: string[] = [];

  /** Most reports are valid and are not copied. */
  countsOf(details: UsageDetails): Counts {
    if (COUNTS.every((name) => isCount(details[name]))) return details;
    return Object.fromEntries(COUNTS.map((name) => [name, this.count(name, details[name])])) as Counts;
  }

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
