import { canonicalName } from '../../../model-policy/registry/canonical-id.js';
import { MODEL_SIZES } from './model-sizes.data.js';
import { LruCache } from '../../../platform/fairness/lru-cache.js';
import { IMAGE_TOKENS, OTHER_IMAGE_TOKENS, type ImageTokens } from './media-tokens.data.js';

export interface ModelFigures {
  /** Tokens of input and output together. */
  readonly context: number;
  /** Whether the context window of the model is known, and not assumed. */
  readonly known: boolean;
  /** Null if it is unknown. */
  readonly output: number | null;
  /** The highest known maximum, even if the maximum of another model is unknown. 0 if none is known. */
  readonly outputKnown: number;
  readonly image: Omit<ImageTokens, 'model'>;
}

/** The context window of a model that the tables do not contain. */
const CONTEXT_ASSUMED = 128_000;
/** No family has a longer name. */
const NAME_LENGTH_MAX = 64;

const SIZES = new Map(MODEL_SIZES.map(([name, context, output]) => [name, { context, output }]));
const IMAGES = new Map(IMAGE_TOKENS.map((row) => [row.model, row]));

const KNOWN_MAX = 1000;
const known = new LruCache<string, ModelFigures>(KNOWN_MAX);

/** Ignores the maker's prefix, as in `openai/gpt-4.1`. */
export function figuresOf(model: string | null): ModelFigures {
  if (model === null) return UNKNOWN;
  let figures = known.get(model);
  if (figures === undefined) {
    figures = searchFigures(model);
    if (model.length <= NAME_LENGTH_MAX) known.set(model, figures);
  }
  return figures;
}

const UNKNOWN: ModelFigures = {
  context: CONTEXT_ASSUMED,
  known: false,
  output: null,
  outputKnown: 0,
  image: OTHER_IMAGE_TOKENS,
};

function searchFigures(model: string): ModelFigures {
  const sizes = familyIn(SIZES, model);
  const image = familyIn(IMAGES, model) ?? OTHER_IMAGE_TOKENS;
  if (sizes === null) return { ...UNKNOWN, image };
  return { ...sizes, known: true, outputKnown: sizes.output ?? sizes.context, image };
}

/** The largest sizes of several models, of which a router uses one. */
export const largestFigures = (models: readonly (string | null)[]): ModelFigures =>
  models.map(figuresOf).reduce((one, other) => ({
    context: Math.max(one.context, other.context),
    known: one.known && other.known,
    output: one.output === null || other.output === null ? null : Math.max(one.output, other.output),
    outputKnown: Math.max(one.outputKnown, other.outputKnown),
    image: {
      low: Math.max(one.image.low, other.image.low),
      typical: Math.max(one.image.typical, other.image.typical),
      full: Math.max(one.image.full, other.image.full),
    },
  }));

function familyIn<T>(table: ReadonlyMap<string, T>, model: string): T | null {
  const last = model.slice(model.lastIndexOf('/') + 1, model.lastIndexOf('/') + 1 + NAME_LENGTH_MAX).toLowerCase();
  let name = canonicalName(last.replace(/^ft:/, '').split(':', 1)[0]!);
  for (;;) {
    const found = table.get(name);
    if (found !== undefined) return found;
    const dash = name.lastIndexOf('-');
    if (dash <= 0) return null;
    name = name.slice(0, dash);
  }
}
