import { COLON, LETTER_N, OPEN_BRACE, OPEN_BRACKET, QUOTE } from '../../platform/json/bytes.js';
import {
  decodeString,
  endOfString,
  endOfValue,
  fieldAfter,
  lastFieldAt,
  skipSpace,
} from '../../platform/json/json-scan.js';
import { topLevelFields } from '../../platform/json/top-level-fields.js';
import { TOOL_USAGE_FIELDS, USAGE_FIELDS } from './usage-detail-fields.data.js';
import { DetailFigures, readDetails, WORD_BYTES_MAX, wordOf } from './detail-figures.js';
import { noteCalls } from './reported-details.js';
import { formatByShape } from './response-format.js';
import { NOTHING_REPORTED, type MeteredReport } from './response-report.js';
import { ToolCallCounter } from './tool-calls.js';
import { UsageExtractor } from './usage-extractor.js';
import type { UsageReader } from './usage-formats.data.js';
import type { JsonObject } from '../../platform/validation/check.js';
import { isComplete, reportIn, TOKENS_MAX, usageObjectAt, usageOf } from './usage-report.js';

const USAGE = Buffer.from('"usage');
const USAGE_NAME = Buffer.from('"usage"');
/** The end of the name. A native search stops at each byte that it begins with, and quotes and `e` are common. */
const ERROR_END = Buffer.from('rror"');
const ERROR_START = '"e';

interface FoundUsage {
  readonly object: JsonObject;
  /** The index after the object, or -1. */
  readonly end: number;
}

/**
 * Reads the usage of a complete JSON response. Providers put the usage at the end of the object, so the search starts there. The whole
 * body is read only if necessary.
 * @param countsCalls whether the response can contain calls of hosted tools
 */
export function bufferedReport(body: Buffer, reader: UsageReader, countsCalls = false): MeteredReport {
  if (hasError(body)) return readAll(body, reader, countsCalls);
  const isMedia = reader.maybeMedia === true;
  const usage = lastUsageIn(body);
  const report = usage === null ? null : reportIn(usage.object, reader);
  if (usage !== null && report !== null && (isComplete(report) || reader.output.length === 0)) {
    const figures = isMedia ? mediaFiguresOf(body, usage) : textFiguresOf(body, usage, reader, countsCalls);
    return { usage: usageOf(report, true), error: null, reported: { report, figures, running: false } };
  }
  if (report !== null || body.includes(USAGE)) {
    const all = readAll(body, reader, countsCalls);
    if (usage === null || !isMedia) return all;
    return { ...all, reported: { ...all.reported, figures: mediaFiguresOf(body, usage) } };
  }
  if (!isMedia) return NOTHING_REPORTED;
  return { ...NOTHING_REPORTED, reported: { report: null, figures: mediaFiguresOf(body, null), running: false } };
}

function lastUsageIn(body: Buffer): FoundUsage | null {
  const at = body.lastIndexOf(USAGE_NAME) === -1 ? -1 : lastFieldAt(body, 'usage');
  if (at === -1) return null;
  const end = endOfValue(body, at);
  return { object: usageObjectAt(body, at, end), end };
}

function readAll(body: Buffer, reader: UsageReader, countsCalls: boolean): MeteredReport {
  const format = formatByShape(body);
  if (format === null) return NOTHING_REPORTED;
  const extractor = new UsageExtractor(reader, format, null, countsCalls);
  extractor.push(body);
  return extractor.end(true);
}

/** False if `error` occurs only as the name of null fields. */
function hasError(body: Buffer): boolean {
  for (let at = body.indexOf(ERROR_END); at !== -1; at = body.indexOf(ERROR_END, at + ERROR_END.length)) {
    if (body.toString('latin1', at - ERROR_START.length, at) !== ERROR_START) continue;
    const colon = skipSpace(body, at + ERROR_END.length);
    if (body[colon] !== COLON || body[skipSpace(body, colon + 1)] !== LETTER_N) return true;
  }
  return false;
}

/** Reads the details of a text response. Most bodies are not searched any further. */
function textFiguresOf(body: Buffer, usage: FoundUsage, reader: UsageReader, countsCalls: boolean): DetailFigures {
  const figures = new DetailFigures();
  readDetails(usage.object, USAGE_FIELDS, figures);
  if (reader.toolCalls === true) noteTier(figures, tierOf(body));
  // OpenAI and Groq put the tier after the usage. Anthropic puts it inside the usage.
  else if (figures.serviceTier === null) noteTier(figures, wordAt(body, fieldAfter(body, usage.end, 'service_tier')));
  if (countsCalls) readTools(body, figures);
  return figures;
}

function noteTier(figures: DetailFigures, tier: string | null): void {
  if (tier === null) return;
  figures.serviceTier = tier;
  figures.some = true;
}

function mediaFiguresOf(body: Buffer, usage: FoundUsage | null): DetailFigures {
  const figures = new DetailFigures();
  if (usage !== null) readDetails(usage.object, USAGE_FIELDS, figures);
  // Audio without a content type is not JSON.
  if (body[skipSpace(body, 0)] !== OPEN_BRACE) return figures;
  for (const { name, start, end } of fieldsOf(body)) {
    const value = valueAt(body, start);
    if (name === 'size') figures.imageSize = wordAt(body, value);
    else if (name === 'quality') figures.imageQuality = wordAt(body, value);
    else if (name === 'duration') noteDuration(body.toString('latin1', value, end), figures);
    else if (name === 'seconds') noteVideoSeconds(body.toString('latin1', value, end), figures);
    else if (name === 'data') noteImages(body, value, figures);
  }
  figures.some ||= figures.imageSize !== null || figures.imageQuality !== null;
  return figures;
}

const TIER = Buffer.from('_tier"');
const TIER_START = '"service';

/**
 * Finds the service tier of the response itself. Most responses without one are only searched for its name. A tier inside `metadata` or a
 * schema belongs to the client, who could otherwise choose the price.
 */
function tierOf(body: Buffer): string | null {
  // Underscores are rarer than quotes, so this search is faster.
  for (let tier = body.indexOf(TIER); tier !== -1; tier = body.indexOf(TIER, tier + TIER.length)) {
    if (body.toString('latin1', tier - TIER_START.length, tier) === TIER_START)
      return wordAt(body, lastFieldAt(body, 'service_tier'));
  }
  return null;
}

function wordAt(body: Buffer, at: number): string | null {
  if (at === -1 || body[at] !== QUOTE) return null;
  const end = endOfString(body, at);
  return end === -1 || end - at > WORD_BYTES_MAX ? null : wordOf(decodeString(body, at, end));
}

function readTools(body: Buffer, figures: DetailFigures): void {
  const counter = new ToolCallCounter();
  for (const { name, start, end } of fieldsOf(body)) {
    if (name === 'output') counter.push(body.subarray(start, end));
    else if (name === 'tool_usage') readDetails(usageObjectAt(body, valueAt(body, start)), TOOL_USAGE_FIELDS, figures);
  }
  const calls = counter.end();
  if (calls !== null) noteCalls(calls, figures);
}

function* fieldsOf(body: Buffer): ReturnType<typeof topLevelFields> {
  try {
    yield* topLevelFields(body);
  } catch {
    // The fields before the malformed name are used.
  }
}

const valueAt = (body: Buffer, field: number): number => skipSpace(body, skipSpace(body, endOfString(body, field)) + 1);

function noteDuration(json: string, figures: DetailFigures): void {
  const seconds = Number(/^"?(\d{1,9}(?:\.\d+)?)"?$/.exec(json)?.[1] ?? NaN);
  if (Number.isNaN(seconds)) return;
  figures.seconds ??= seconds;
  figures.some = true;
}

/** A video has whole seconds, as text. */
function noteVideoSeconds(json: string, figures: DetailFigures): void {
  const seconds = Number(/^"?(\d{1,6})"?$/.exec(json)?.[1] ?? NaN);
  if (Number.isNaN(seconds)) return;
  figures.videoSeconds = seconds;
  figures.some = true;
}

function noteImages(body: Buffer, at: number, figures: DetailFigures): void {
  if (body[at] !== OPEN_BRACKET) return;
  let images = 0;
  for (let entry = skipSpace(body, at + 1); body[entry] === OPEN_BRACE; images++) {
    const end = endOfValue(body, entry);
    if (end === -1) return;
    entry = skipSpace(body, skipSpace(body, end) + 1);
  }
  figures.images = Math.min(TOKENS_MAX, images);
  figures.some = true;
}
