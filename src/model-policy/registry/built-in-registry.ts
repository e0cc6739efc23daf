import { canonicalId, canonicalName, undated } from './canonical-id.js';
import { endpointsOf, LEGACY_BASE_ENDPOINTS } from './endpoints.data.js';
import { EXACT, FAMILIES, type Family } from './families.data.js';
import { MAKERS, type Maker } from './makers.data.js';
import { MARKS, type Mark } from './marks.data.js';
import type { ModelCategory } from './model-category.js';
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

/**
 * What the built-in tables say of a model: by its exact name, with and without its date, else by the longest family
 * name that it begins with. null for a model of no known maker or kind. Some microseconds: callers keep the answer.
 */
export function builtInFacts(id: string): ModelFacts | null {
  const canonical = canonicalId(id);
  if (canonical === null) return null;
  const { name, maker } = canonical;
  const find = (rules: readonly Rule[], fits: (rule: Rule) => boolean) =>
    rules.find((rule) => (maker === null || rule.maker === maker) && fits(rule));
  const bare = undated(name);
  const rule =
    find(exact, (candidate) => candidate.name === name || candidate.name === bare) ??
    find(families, (candidate) => name === candidate.name || name.startsWith(candidate.prefix));
  return rule === undefined ? null : factsOf(name, rule);
}

function factsOf(name: string, { maker, family: [, kind, given = []] }: Rule): ModelFacts | null {
  const marks = MARKS.filter(({ mark }) => `-${name}-`.includes(`-${mark}-`));
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

function categoryOf(kind: Family[1], marks: readonly Mark[]): ModelCategory | null {
  if (kind === 'base') return 'chat';
  if (kind !== 'chat') return kind;
  const told = marks.find(({ category }) => category !== undefined);
  return told?.category === undefined ? 'chat' : told.category;
}
