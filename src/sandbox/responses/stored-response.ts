import type { Turn } from '../simulation/turn.js';

/** A response that was answered, and the conversation that the next one may go on from. */
export interface StoredResponse {
  readonly id: string;
  /** As its vendor writes it. */
  readonly object: object;
  /** All that was said up to and with this response; without instructions, which do not carry over. */
  readonly turns: readonly Turn[];
}
