/**
 * Takes `type` away wherever it stands beside `oneOf`: Nest's document builder gives every property the type that
 * TypeScript emitted, `object` for any union, and a schema of both would refuse a string. Changes `node` in place.
 */
export function dropUnionTypes(node: unknown): void {
  if (typeof node !== 'object' || node === null) return;
  if ('oneOf' in node && Array.isArray(node.oneOf) && 'type' in node && typeof node.type === 'string') delete node.type;
  for (const value of Object.values(node)) dropUnionTypes(value);
}
