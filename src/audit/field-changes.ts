/** By the fields' names as clients know them. */
export type FieldChanges = Readonly<Record<string, { readonly old: unknown; readonly new: unknown }>>;

/**
 * The fields that differ, for an audit row (D18); null for what is not there.
 * @param fields the properties that are told of, with their names for clients: no secret's hash among them
 * @param before null: it was not there @param after null: it is gone; a property that is undefined in it stays as it was
 */
export function fieldChanges<P extends string>(
  fields: Readonly<Record<P, string>>,
  before: Readonly<Partial<Record<NoInfer<P>, unknown>>> | null,
  after: Readonly<Partial<Record<NoInfer<P>, unknown>>> | null,
): FieldChanges {
  const changes: Record<string, FieldChanges[string]> = {};
  for (const [property, field] of Object.entries(fields) as [P, string][]) {
    const old = before?.[property] ?? null;
    const given = after === null ? null : after[property];
    const now = given === undefined ? old : given;
    if (JSON.stringify(old) !== JSON.stringify(now)) changes[field] = { old, new: now };
  }
  return changes;
}
