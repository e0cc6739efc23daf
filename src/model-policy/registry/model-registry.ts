import { endpointsOf, LEGACY_BASE_ENDPOINTS, type ModelCategory } from './endpoints.data.js';
import { NO_FLAGS, type ModelFacts, flagsOf } from './model-facts.js';
import type { RegistryEntry, RegistryExtension } from './registry-file.js';
import { canonicalId, canonicalName, makerOf, undated, MAKERS, type Maker } from './canonical-id.js';
import { EXACT, FAMILIES, NEWEST, type Family } from './families.data.js';
import { ID_PARTS, type IdPart } from './id-parts.data.js';

/** The model registry: the built-in tables with the operator's file on top. It does not depend on the upstream's list. */
export class ModelRegistry {
  /** @param extension entries by exact ID; omitted fields keep their built-in values */
  constructor(private readonly extension: RegistryExtension = new Map()) {}

  lookup(id: string, owner?: string): ModelFacts | null {
    const builtIn = builtInFacts(id, owner);
    const entry = this.extension.get(id);
    return entry === undefined ? builtIn : merge(builtIn, entry);
  }
}

function merge(builtIn: ModelFacts | null, entry: RegistryEntry): ModelFacts {
  const category = entry.category ?? builtIn?.category ?? null;
  const provider = entry.provider ?? builtIn?.provider ?? null;
  // If the entry changes the category or the maker, the usual routes of the new ones apply.
  const same = category === builtIn?.category && provider === builtIn?.provider;
  const usual = category === null ? null : endpointsOf(category, provider);
  const endpoints = entry.endpoints ?? (same ? builtIn.endpoints : usual);
  return {
    category,
    provider,
    endpoints,
    flags: { ...(builtIn?.flags ?? NO_FLAGS), ...entry.flags },
    availability: entry.availability ?? builtIn?.availability ?? 'callable',
    legacyBase: category === 'chat' && endpoints?.length === 1 && endpoints[0] === LEGACY_BASE_ENDPOINTS[0],
  };
}

interface Rule {
  readonly name: string;
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
  /** Matches the family and a generation number, which has a second part if the newest known one has. */
  readonly pattern: RegExp;
  readonly number: number;
}

/** Generations up to nine major versions after the newest known one are recognized. `gpt-45` is not one. */
const GENERATIONS_AHEAD_MAX = 9_999;

const generations = MAKERS.flatMap((maker) => (NEWEST[maker] ?? []).map((newest) => generationOf(maker, newest)));

function generationOf(maker: Maker, newest: string): Generation {
  const [, stem = '', major = '', minor] = /^(.*?)(\d+)(?:\.(\d+))?$/.exec(newest)!;
  const pattern = new RegExp(`^${stem}([1-9]\\d?)${minor === undefined ? '' : '(?:-(\\d{1,2}))?'}(?=-|$)`);
  return { maker, name: canonicalName(newest), pattern, number: numberOf(major, minor) };
}

function numberOf(major: string, minor = '0'): number {
  return Number(major) * 1000 + Number(minor);
}

/**
 * Looks a model up in the built-in tables. Priority: the exact name with or without a date, the longest family prefix, the
 * owner. A later generation counts as the newest known one. Takes a few microseconds, so callers cache the result.
 * @param owner `owned_by` of the catalog
 * @returns null if the maker or the kind of the model is unknown
 */
function builtInFacts(id: string, owner?: string): ModelFacts | null {
  const canonical = canonicalId(id);
  if (canonical === null) return null;
  const { maker } = canonical;
  const fitsMaker = (candidate: { readonly maker: Maker }) => maker === null || candidate.maker === maker;
  const name = asNewest(canonical.name, fitsMaker);
  const bare = undated(name);
  const rule =
    exact.find((candidate) => fitsMaker(candidate) && (candidate.name === name || candidate.name === bare)) ??
    families.find(
      (candidate) => fitsMaker(candidate) && (name === candidate.name || name.startsWith(candidate.prefix)),
    );
  if (rule !== undefined) return factsOf(name, rule);
  const ownedBy = owner === undefined ? undefined : makerOf(owner);
  if (name === '' || ownedBy === undefined || (maker !== null && maker !== ownedBy)) return null;
  return factsOf(name, ruleOf(ownedBy, [name, 'chat']));
}

function asNewest(name: string, fitsMaker: (generation: Generation) => boolean): string {
  for (const generation of generations) {
    const match = fitsMaker(generation) ? generation.pattern.exec(name) : null;
    if (match === null) continue;
    const number = numberOf(match[1]!, match[2]);
    if (number <= generation.number || number > generation.number + GENERATIONS_AHEAD_MAX) continue;
    return generation.name + name.slice(match[0].length);
  }
  return name;
}

function factsOf(name: string, { maker, family: [, kind, familyFlags = []] }: Rule): ModelFacts | null {
  if (kind === null) return null;
  const parts = ID_PARTS.filter(({ mark }) => `-${name}-`.includes(`-${mark}-`));
  const category = categoryOf(kind, parts);
  if (category === null) return null;
  const flags = new Set(category === 'chat' ? familyFlags : []);
  if (category === 'chat' && kind !== 'base') {
    for (const { adds = [], removes = [] } of parts) {
      adds.forEach((flag) => flags.add(flag));
      removes.forEach((flag) => flags.delete(flag));
    }
  }
  return {
    category,
    provider: maker,
    endpoints: kind === 'base' ? LEGACY_BASE_ENDPOINTS : endpointsOf(category, maker),
    // An OCR model reads images from message content. No other flag applies to it.
    flags: category === 'ocr' ? flagsOf(['vision']) : flags.size === 0 ? NO_FLAGS : flagsOf([...flags]),
    availability: 'callable',
    legacyBase: kind === 'base',
  };
}

function categoryOf(kind: NonNullable<Family[1]>, parts: readonly IdPart[]): ModelCategory | null {
  if (kind === 'base') return 'chat';
  if (kind !== 'chat') return kind;
  const deciding = parts.find(({ category }) => category !== undefined);
  return deciding?.category === undefined ? 'chat' : deciding.category;
}
