import { canonicalId, canonicalName, makerOf, undated, MAKERS, type Maker } from './canonical-id.js';
import { endpointsOf, LEGACY_BASE_ENDPOINTS, type ModelCategory } from './endpoints.data.js';
import { EXACT, FAMILIES, NEWEST, type Family } from './families.data.js';
import { ID_PARTS, type IdPart } from './id-parts.data.js';
import { NO_FLAGS, flagsOf, type ModelFacts } from './model-facts.js';

interface Rule {
  readonly name: string;
  /** What the id of another model of the family begins with. */
  readonly prefix: string;
  readonly maker: Maker;
  readonly family: Family;
}

const rulesOf = (table: Readonly<Partial<Record<Maker, readonly Family[]>>>): Rule[] =>
  MAKERS.flatMap((maker) => (table[maker] ?? []).map((family) => ruleOf(maker, family)));

function ruleOf(maker: Maker, family: Family): Rule {
  const name = canonicalName(family[0]);
  return { name, prefix: `${name}-`, maker, family };
}

const exact = rulesOf(EXACT);
const families = rulesOf(FAMILIES).sort((a, b) => b.name.length - a.name.length);

interface Generation {
  readonly maker: Maker;
  readonly name: string;
  /** The name without its number, then the number of an ID, with a second part if the newest has one. */
  readonly pattern: RegExp;
  readonly number: number;
}

/** How far a generation can be ahead of the newest known one, nine here: `gpt-45` is not a generation. */
const AHEAD_MAX = 9_999;

const generations = MAKERS.flatMap((maker) => (NEWEST[maker] ?? []).map((newest) => generationOf(maker, newest)));

function generationOf(maker: Maker, newest: string): Generation {
  const [, stem = '', major = '', minor] = /^(.*?)(\d+)(?:\.(\d+))?$/.exec(newest)!;
  const pattern = new RegExp(`^${stem}([1-9]\\d?)${minor === undefined ? '' : '(?:-(\\d{1,2}))?'}(?=-|$)`);
  return { maker, name: canonicalName(newest), pattern, number: numberOf(major, minor) };
}

/** Versions as one number: `3.7` is 3007. */
function numberOf(major: string, minor = '0'): number {
  return Number(major) * 1000 + Number(minor);
}

/**
 * The facts of a model in the built-in tables. Its exact name decides, with or without its date. Otherwise the longest family
 * name with which it begins decides, and then its owner. A later generation counts as the newest known one. null for a model
 * of no known maker or kind. Takes some microseconds: callers keep the result.
 *
 * @param owner `owned_by` of the catalog
 */
export function builtInFacts(id: string, owner?: string): ModelFacts | null {
  const canonical = canonicalId(id);
  if (canonical === null) return null;
  const { maker } = canonical;
  const isOf = (candidate: { readonly maker: Maker }) => maker === null || candidate.maker === maker;
  const name = asNewest(canonical.name, isOf);
  const bare = undated(name);
  const rule =
    exact.find((candidate) => isOf(candidate) && (candidate.name === name || candidate.name === bare)) ??
    families.find((candidate) => isOf(candidate) && (name === candidate.name || name.startsWith(candidate.prefix)));
  if (rule !== undefined) return factsOf(name, rule);
  const ownedBy = owner === undefined ? undefined : makerOf(owner);
  if (name === '' || ownedBy === undefined || (maker !== null && maker !== ownedBy)) return null;
  return factsOf(name, ruleOf(ownedBy, [name, 'chat']));
}

/** The name, with a generation later than the newest known one replaced by that. */
function asNewest(name: string, isOf: (generation: Generation) => boolean): string {
  for (const generation of generations) {
    const match = isOf(generation) ? generation.pattern.exec(name) : null;
    if (match === null) continue;
    const number = numberOf(match[1]!, match[2]);
    if (number <= generation.number || number > generation.number + AHEAD_MAX) continue;
    return generation.name + name.slice(match[0].length);
  }
  return name;
}

function factsOf(name: string, { maker, family: [, kind, given = []] }: Rule): ModelFacts | null {
  if (kind === null) return null;
  const marks = ID_PARTS.filter(({ mark }) => `-${name}-`.includes(`-${mark}-`));
  const category = categoryOf(kind, marks);
  if (category === null) return null;
  const flags = new Set(category === 'chat' || category === 'ocr' ? given : []);
  if (category === 'chat' && kind !== 'base') {
    for (const { adds = [], takes = [] } of marks) {
      adds.forEach((flag) => flags.add(flag));
      takes.forEach((flag) => flags.delete(flag));
    }
  }
  return {
    category,
    provider: maker,
    endpoints: kind === 'base' ? LEGACY_BASE_ENDPOINTS : endpointsOf(category, maker),
    // An OCR model reads images from message content and does nothing else that a flag speaks of.
    flags: category === 'ocr' ? flagsOf(['vision']) : flags.size === 0 ? NO_FLAGS : flagsOf([...flags]),
    availability: 'callable',
    legacyBase: kind === 'base',
  };
}

function categoryOf(kind: NonNullable<Family[1]>, marks: readonly IdPart[]): ModelCategory | null {
  if (kind === 'base') return 'chat';
  if (kind !== 'chat') return kind;
  const told = marks.find(({ category }) => category !== undefined);
  return told?.category === undefined ? 'chat' : told.category;
}
