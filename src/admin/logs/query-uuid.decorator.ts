import { QueryText } from '../../validation/query-fields.js';
import { UUID } from '../uuid.rules.js';

/** A query parameter that is an id: what is no UUID is refused, since it can only be a mistake; an unknown one finds nothing. */
export const QueryUuid = (description: string): PropertyDecorator =>
  QueryText({ pattern: UUID, expected: 'a UUID such as 0198c0de-0000-7000-8000-000000000000', description });
