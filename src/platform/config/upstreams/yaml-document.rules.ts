import {
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  parseDocument,
  visit,
  type Document,
  type Node,
  type Pair,
  type YAMLMap,
} from 'yaml';

/** The fields and list indexes that lead to a value. */
export type Path = readonly (string | number)[];

export interface Place {
  readonly line: number;
  readonly column: number;
}

export interface YamlDocument {
  readonly value: unknown;
  /** Place of the value, or of its key. For a missing field it is the place of the object that lacks it. */
  placeOf(at: Path, part?: 'value' | 'key'): Place;
}

export interface SyntaxProblem extends Place {
  readonly text: string;
}

/**
 * Reads YAML 1.2, of which JSON is a subset. Tags, merge keys and aliases are not supported. All editors therefore interpret the
 * text in the same way, and a short text cannot expand to a large value.
 */
export function readYaml(text: string): YamlDocument | { readonly problems: readonly SyntaxProblem[] } {
  const lines = new LineCounter();
  const placeAt = (offset: number): Place => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(1, line), column: Math.max(1, col) };
  };
  const document = parseDocument(text, {
    lineCounter: lines,
    // The library's messages quote the text, which can contain a secret.
    prettyErrors: false,
    logLevel: 'error',
    schema: 'core',
    merge: false,
    resolveKnownTags: false,
    stringKeys: true,
    // The library's own check takes quadratic time, because it compares all pairs of keys.
    uniqueKeys: false,
  });
  const problems = syntaxProblems(document, text, placeAt);
  if (problems.length > 0) return { problems };
  const index = new PairIndex();
  return {
    value: document.toJS({ maxAliasCount: 0 }) as unknown,
    placeOf: (at, part = 'value') => placeAt(offsetOf(document, index, at, part)),
  };
}

/** Returns only the first problem of each line, because one mistake can cause several problems. */
function syntaxProblems(document: Document, text: string, placeAt: (offset: number) => Place): SyntaxProblem[] {
  const found = [...document.errors, ...document.warnings].map(({ code, pos }) => ({
    offset: pos[0],
    text: SYNTAX[code] ?? INVALID,
  }));
  const exhausted = document.errors.findLast(({ code }) => code === 'RESOURCE_EXHAUSTION');
  if (exhausted !== undefined) return [{ ...placeAt(exhausted.pos[0]), text: TOO_DEEP }];
  const all = found.length > 0 ? found : unsupportedParts(document, text, (offset) => placeAt(offset).line);
  const byLine = new Map<number, SyntaxProblem>();
  for (const { offset, text } of all.toSorted((a, b) => a.offset - b.offset)) {
    const place = placeAt(offset);
    if (!byLine.has(place.line)) byLine.set(place.line, { ...place, text });
  }
  return [...byLine.values()];
}

const TOO_DEEP = 'The file is nested too deeply. Remove the surplus brackets.';
const INVALID = 'The text is not valid YAML. Check the indentation, quotes and colons here.';
const UNSUPPORTED_TAG = 'YAML tags (!name) are not supported. Remove the tag, or put the value in quotes.';

const SYNTAX: Readonly<Record<string, string>> = {
  BAD_DIRECTIVE: 'YAML directives (%NAME) are not supported. Remove the line.',
  BAD_DQ_ESCAPE: 'The quoted text has an invalid escape sequence. Use single quotes, or double the backslash.',
  BAD_INDENT: 'The indentation is invalid, or a bracket or brace is not closed. Indent lists and objects with spaces.',
  BAD_SCALAR_START: 'Text cannot start with this character. Put the value in quotes.',
  BLOCK_AS_IMPLICIT_KEY:
    'A second field is on the same line, or the next line is indented too far. Check the indentation.',
  MISSING_CHAR: 'A quote, bracket, colon or comma is missing. Add it.',
  MULTIPLE_DOCS: 'The file has a second document after ---. Use one document.',
  MULTILINE_IMPLICIT_KEY: 'A colon is missing after the name of a field. Add it.',
  NON_STRING_KEY: 'The name of a field must be text. Use a name.',
  TAB_AS_INDENT: 'Tabs cannot be used for indentation. Use spaces.',
  TAG_RESOLVE_FAILED: UNSUPPORTED_TAG,
  UNEXPECTED_TOKEN: 'The text continues where a value has ended. Check the indentation, quotes and brackets.',
};

function unsupportedParts(document: Document, text: string, lineOf: (offset: number) => number) {
  const found: { offset: number; text: string }[] = [];
  const version = document.directives?.yaml;
  if (version?.explicit === true && version.version !== '1.2')
    found.push({ offset: 0, text: 'The file is read as YAML 1.2. Remove the %YAML directive.' });
  const checkTag = ({ tag, range }: Node): void => {
    if (tag !== undefined) found.push({ offset: tagOffset(text, range?.[0] ?? 0), text: UNSUPPORTED_TAG });
  };
  visit(document, {
    Value: (_, node) => checkTag(node),
    Alias: (_, { range }) => {
      found.push({ offset: range?.[0] ?? 0, text: 'YAML aliases (*name) are not supported. Repeat the value.' });
    },
    Map: (_, map) => {
      checkTag(map);
      for (const problem of keyProblems(map, lineOf)) found.push(problem);
    },
  });
  return found;
}

/** @param valueOffset of the value after the tag, because the library reports no place of a tag that it knows */
function tagOffset(text: string, valueOffset: number): number {
  let offset = Math.max(0, text.lastIndexOf('!', valueOffset));
  while (offset > 0 && !/[\s,[\]{}]/.test(text[offset - 1]!)) offset -= 1;
  return offset;
}

function keyProblems({ items }: YAMLMap, lineOf: (offset: number) => number) {
  const found: { offset: number; text: string }[] = [];
  const known = new Map<unknown, number>();
  for (const { key } of items) {
    if (!isScalar(key)) continue;
    const offset = key.range?.[0] ?? 0;
    const first = known.get(key.value);
    if (key.value === '<<') found.push({ offset, text: 'YAML merge keys (<<) are not supported. Repeat the fields.' });
    else if (first !== undefined)
      found.push({ offset, text: `The field is already set on line ${lineOf(first)}. Remove one of them.` });
    else known.set(key.value, offset);
  }
  return found;
}

/** Finds the pairs of an object by name. Without it, each problem in a large object would cost a linear search. */
class PairIndex {
  private readonly maps = new WeakMap<YAMLMap, ReadonlyMap<unknown, Pair>>();

  pairOf(map: YAMLMap, name: string): Pair | undefined {
    let pairs = this.maps.get(map);
    if (pairs === undefined) {
      pairs = new Map(map.items.map((pair) => [isScalar(pair.key) ? pair.key.value : null, pair]));
      this.maps.set(map, pairs);
    }
    return pairs.get(name);
  }
}

function offsetOf({ contents }: Document, index: PairIndex, at: Path, part: 'value' | 'key'): number {
  let node: unknown = contents;
  let offset = contents?.range?.[0] ?? 0;
  for (const [depth, step] of at.entries()) {
    const pair = isMap(node) ? index.pairOf(node, String(step)) : undefined;
    const next: unknown = isSeq(node) ? node.items[Number(step)] : pair?.value;
    const keyOffset = startOf(pair?.key);
    if (part === 'key' && depth === at.length - 1 && keyOffset !== undefined) return keyOffset;
    const start = startOf(next) ?? keyOffset;
    if (start === undefined) return offset;
    offset = start;
    node = next;
  }
  return offset;
}

const startOf = (node: unknown): number | undefined =>
  isScalar(node) || isMap(node) || isSeq(node) || isAlias(node) ? node.range?.[0] : undefined;
