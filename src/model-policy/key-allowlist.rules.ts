type Allows = (model: string) => boolean;

// Keyed by the array itself. Key snapshots are cached, so each list is compiled once.
const compiled = new WeakMap<readonly string[], Allows>();

/** @param allowedModels exact IDs, and in old rows prefixes that end in `*` (D16); null or empty: no restriction */
export function allowsModel(allowedModels: readonly string[] | null, model: string): boolean {
  if (allowedModels === null || allowedModels.length === 0) return true;
  let allows = compiled.get(allowedModels);
  if (allows === undefined) compiled.set(allowedModels, (allows = compile(allowedModels)));
  return allows(model);
}

function compile(allowedModels: readonly string[]): Allows {
  const ids = new Set(allowedModels);
  const prefixes = allowedModels.filter((entry) => entry.endsWith('*')).map((entry) => entry.slice(0, -1));
  return (model) => ids.has(model) || prefixes.some((prefix) => model.startsWith(prefix));
}
