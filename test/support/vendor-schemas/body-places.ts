import ts from 'typescript';

/** One step from a value into a nested value: a field, an array entry, or any key of a map. */
interface Step {
  /** null for an array entry. */
  readonly name: string | null;
  /** The fields of the same object that identify its variant, for example `type: 'image_generation'`. */
  readonly constants: Readonly<Record<string, string>>;
}

/** The content that a place accepts: text, an array of texts, or any JSON (`unknown`, a map with free keys). */
type Content = 'text' | 'texts' | 'free';

/** A place in a request body where a caller writes a value. */
export interface BodyPlace {
  readonly steps: readonly Step[];
  readonly content: Content;
  readonly isTypedAsModel: boolean;
}

/** The name of any key of a map. */
const ANY_KEY = 'any_key';
const MODEL_LITERAL = /^(?:gpt-|claude-|o\d|whisper-|dall-e|text-embedding-|sora-|tts-|omni-moderation)/;
const BINARY =
  /^(?:Blob|File|ReadableStream|Response|Buffer|Uint8Array|ArrayBuffer|FileLike|ResponseLike|AsyncIterable)$/;

/** Returns the path of a place, for example `input[].tools[].model`. */
export const pathOf = ({ steps }: BodyPlace): string =>
  steps.reduce((path, { name }) => (name === null ? `${path}[]` : path === '' ? name : `${path}.${name}`), '');

export const nameOf = ({ steps }: BodyPlace): string => steps.findLast(({ name }) => name !== null)?.name ?? '';

/** Returns a body with `value` at a place, and with the constants of each object on the path. */
export function bodyWith({ steps }: BodyPlace, value: unknown): Record<string, unknown> {
  return steps.reduceRight<unknown>(
    (inner, { name, constants }) => (name === null ? [inner] : { ...constants, [name]: inner }),
    value,
  ) as Record<string, unknown>;
}

/**
 * Returns every place of a body. A path enters each type once, so that recursive types end. Each kind of tool, message and
 * grader is still found in each place that accepts it.
 */
export function placesOf(checker: ts.TypeChecker, body: ts.Type): BodyPlace[] {
  const places: BodyPlace[] = [];
  const enter = (type: ts.Type, steps: readonly Step[], within: readonly ts.Type[]): void => {
    if (type.isUnion()) return type.types.forEach((part) => enter(part, steps, within));
    if (checker.isArrayType(type) || checker.isTupleType(type)) {
      const entries = checker.getTypeArguments(type as ts.TypeReference);
      return entries.forEach((entry) => enter(entry, [...steps, { name: null, constants: {} }], within));
    }
    if (!isObject(type) || within.includes(type) || BINARY.test(type.symbol?.name ?? '')) return;
    const inside = [...within, type];
    for (const { type: values } of checker.getIndexInfosOfType(type)) {
      enter(values, [...steps, { name: ANY_KEY, constants: {} }], inside);
    }
    const properties = checker.getPropertiesOfType(type).filter(({ name }) => !name.startsWith('__@'));
    const constants = constantsOf(checker, properties);
    for (const property of properties) {
      const own = checker.getTypeOfSymbol(property);
      const next = [...steps, { name: property.name, constants }];
      for (const content of contentsOf(checker, own)) {
        places.push({ steps: next, content, isTypedAsModel: isTypedAsModel(checker, own) });
      }
      enter(own, next, inside);
    }
  };
  enter(body, [], []);
  return places;
}

const isObject = (type: ts.Type): boolean =>
  (type.flags & ts.TypeFlags.Object) !== 0 || (type.isIntersection() && !isText(type));

const isText = (type: ts.Type): boolean =>
  (type.flags & ts.TypeFlags.StringLike) !== 0 || (type.isIntersection() && type.types.some(isText));

const partsOf = (type: ts.Type): readonly ts.Type[] => (type.isUnion() ? type.types : [type]);

function constantsOf(checker: ts.TypeChecker, properties: readonly ts.Symbol[]): Record<string, string> {
  const constants: [string, string][] = [];
  for (const property of properties) {
    const values = partsOf(checker.getTypeOfSymbol(property)).filter(isText);
    const [first] = values;
    if (['type', 'role', 'object'].includes(property.name) && first?.isStringLiteral() === true) {
      constants.push([property.name, first.value]);
    }
  }
  return Object.fromEntries(constants);
}

function contentsOf(checker: ts.TypeChecker, type: ts.Type): Content[] {
  const contents = new Set<Content>();
  for (const part of partsOf(type)) {
    if (isFree(checker, part)) contents.add('free');
    // A caller cannot choose the text of a literal.
    else if (isText(part) && !part.isStringLiteral()) contents.add('text');
    else if (isTypedAsModel(checker, part)) contents.add('text');
    else if (checker.isArrayType(part)) {
      const [entry] = checker.getTypeArguments(part as ts.TypeReference);
      if (partsOf(entry!).some(isText)) contents.add('texts');
    }
  }
  return [...contents];
}

function isFree(checker: ts.TypeChecker, type: ts.Type): boolean {
  if ((type.flags & (ts.TypeFlags.Unknown | ts.TypeFlags.Any)) !== 0) return true;
  if (isText(type)) return false;
  if (checker.isArrayType(type)) {
    const [entry] = checker.getTypeArguments(type as ts.TypeReference);
    return partsOf(entry!).every((part) => isFree(checker, part));
  }
  // An open object that declares a model is not a free map.
  if (!isObject(type) || type.getProperty('model') !== undefined) return false;
  const values = checker.getIndexInfosOfType(type).filter(({ keyType }) => keyType.flags & ts.TypeFlags.String);
  return values.some(({ type: value }) =>
    partsOf(value).some((part) => isText(part) || (part.flags & (ts.TypeFlags.Unknown | ts.TypeFlags.Any)) !== 0),
  );
}

const isTypedAsModel = (checker: ts.TypeChecker, type: ts.Type): boolean =>
  partsOf(type).some(
    (part) =>
      (part.isStringLiteral() && MODEL_LITERAL.test(part.value)) ||
      (checker.isArrayType(part) && isTypedAsModel(checker, checker.getTypeArguments(part as ts.TypeReference)[0]!)),
  );
