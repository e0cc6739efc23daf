/** `-2025-08-07`, `-20250929`, `-0613`, `@20250929` and `-latest`. */
const DATE_SUFFIX = /(?:[-@](?:20\d{2}-\d{2}-\d{2}|20\d{6}|(?:0[1-9]|1[0-2])[0-3]\d)|-latest)$/;

/** The name without its date. Anthropic's cost export has display names: `Claude Haiku 4.5` is `claude-haiku-4-5`. */
export function familyOf(model: string): string {
  const name = /\s/.test(model) ? model.toLowerCase().replace(/[\s._]+/g, '-') : model;
  return name.replace(DATE_SUFFIX, '');
}

/**
 * The names under which models of both sides are compared. Providers report the dated model that a request without a date
 * used. So if one side has a name that the export lacks, all models of the family are compared as one.
 *
 * @returns the label of each name
 */
export function labelsOf(provider: ReadonlySet<string>, gateway: ReadonlySet<string>): ReadonlyMap<string, string> {
  const families = Map.groupBy(new Set([...provider, ...gateway]), familyOf);
  const labels = new Map<string, string>();
  for (const [family, names] of families) {
    const known = names.filter((name) => gateway.has(name));
    const exact = known.every((name) => provider.has(name)) || known.length === names.length;
    for (const name of names) labels.set(name, exact ? name : family);
  }
  return labels;
}
