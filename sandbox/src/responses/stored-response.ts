import type { Turn } from '../simulation/turn.js';
import type { JsonObject } from '../wire/json-object.js';
import type { ResponseAnswer } from './response-answer.js';

/** A response and the conversation that the next one can continue. */
export interface StoredResponse {
  readonly id: string;
  readonly answer: ResponseAnswer;
  /** `waiting` for a background response until it is first read. */
  readonly state: 'waiting' | 'done' | 'cancelled';
  readonly background: boolean;
  /** The conversation up to and with this response; without instructions, which do not carry over. */
  readonly turns: readonly Turn[];
  /** The input of its request, in order. */
  readonly input: readonly (JsonObject & { readonly id: string })[];
}
