import { getMetadataStorage } from 'class-validator';
import type { Rule } from './rules.decorator.js';

/** A class with field decorators. */
export type Dto<T extends object = object> = new () => T;

/**
 * What the decorators of `Dto` registered with class-validator, its own fields before inherited ones, each in written
 * order. `T` is the kind of field rule: of a body or of a query. Throws when the class has none: it was never decorated.
 */
export function readMetadata<T extends { readonly name: string }>(Dto: Dto): { fields: T[]; rules: Rule<object>[] } {
  const all = getMetadataStorage().getTargetValidationMetadatas(Dto, '', true, false);
  const fields = all.filter(({ name }) => name === 'field').map(({ constraints }) => constraints[0] as T);
  const rules = all
    .filter(({ name }) => name === 'rules')
    .flatMap(({ constraints }) => constraints[0] as Rule<object>[]);
  if (fields.length === 0) throw new Error(`${Dto.name} has no decorated field`);
  return { fields, rules };
}
