/** Readers of parsed YAML and of JSON columns, whose shapes are not known. They return null for any other type. */
export type Fields = Readonly<Record<string, unknown>>;

export const fieldsOf = (value: unknown): Fields | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : null;

/** The objects of a list; other values are left out. */
export const objectsOf = (values: readonly unknown[]): Fields[] =>
  values.map(fieldsOf).filter((fields) => fields !== null);

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

export const textOf = (value: unknown): string | null =>
  typeof value === 'string' && value.trim() !== '' ? value.trim() : null;

export const textsOf = (value: unknown): string[] => listOf(value).flatMap((one) => textOf(one) ?? []);

/** Accepts numbers and their text, because PostgreSQL's JSON and YAML both occur. */
export function numberOf(value: unknown): number | null {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : null;
}

/** Whether a field has no effect: absent, null, false, or empty. */
export function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === false || value === '') return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}
