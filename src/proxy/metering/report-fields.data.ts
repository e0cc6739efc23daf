import { WatchedFields, type Watched } from '../../platform/json/watched-fields.js';
import type { BesideName } from './reported-details.js';
import type { FactName } from './response-facts.js';
import type { UsageReader } from './usage-formats.data.js';

/** `start` reports only the input, because its output covers the first tokens. `nested` ranks below `usage`. */
export type ReportField =
  'usage' | 'start' | 'metadata' | 'nested' | 'error' | 'type' | 'message' | 'part' | BesideName | FactName;

type Fields = Record<string, Watched<ReportField>>;

const value = (leaf: ReportField): Watched<ReportField> => ({ leaf });
const inside = (fields: Fields, leaf?: ReportField): Watched<ReportField> => ({
  leaf,
  fields: new WatchedFields(fields),
});
const NESTED = { usage: value('nested'), error: value('error') };
/** They show whether a report in a chunk of text is the last one. */
const PART = { delta: value('part'), finish_reason: value('finish') };

const IDENTITY = { id: value('id'), model: value('model') };
const REPORT = { usage: value('usage'), usageMetadata: value('metadata'), error: value('error') };
const REST = { x_groq: inside(NESTED), type: value('type') };

/** Each name costs a comparison with all names that start with the same letter, so every kind of response has its own. */
const watched = (beside: Fields): WatchedFields<ReportField> =>
  new WatchedFields<ReportField>({
    ...REPORT,
    ...REST,
    ...beside,
    response: inside({ ...REPORT, ...beside }),
    message: inside({ usage: value('start') }, 'message'),
    choices: inside({ 0: inside({ ...NESTED, ...PART }) }),
  });

const TIER = { service_tier: value('tier') };
const TOOLS = { tool_usage: value('tools') };
const IMAGES = { size: value('size'), quality: value('quality') };

const WATCHED = {
  messages: watched({}),
  media: watched(IMAGES),
  text: watched(TIER),
  textAndCalls: watched({ ...TIER, ...TOOLS }),
};

const WATCHED_FOR_TRACE = new WatchedFields<ReportField>({
  ...REPORT,
  ...REST,
  ...IDENTITY,
  ...TIER,
  ...TOOLS,
  ...IMAGES,
  status: value('finish'),
  response: inside({ ...REPORT, ...IDENTITY, ...TIER, ...TOOLS, status: value('finish') }),
  message: inside({ ...IDENTITY, usage: value('start') }, 'message'),
  choices: inside({ 0: inside({ ...NESTED, ...PART }) }),
  stop_reason: value('finish'),
  delta: inside({ stop_reason: value('finish') }),
});

/**
 * Returns the fields to find in the documents of a response.
 * @param forTrace whether the facts of a sampled trace are also found
 */
export function watchedFields(
  reader: UsageReader,
  forTrace: boolean,
  countsCalls: boolean,
): WatchedFields<ReportField> {
  if (forTrace) return WATCHED_FOR_TRACE;
  if (reader.inParts === true) return WATCHED.messages;
  if (reader.maybeMedia === true) return WATCHED.media;
  return countsCalls ? WATCHED.textAndCalls : WATCHED.text;
}
