import type { Kind } from './check.js';
import { arrayOf, either } from './compound-kinds.js';
import { string } from './scalar-kinds.js';

export const STOP_SEQUENCES_MAX = 4;

/** `stop`: a string, or an array of at most four. */
export const stopSequences: Kind = either({ string: string(), array: arrayOf(string(), { max: STOP_SEQUENCES_MAX }) });
