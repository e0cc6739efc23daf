import type { Turn } from '../simulation/turn.js';
import type { JsonObject } from '../wire/json-object.js';
import type { ResponsesResponse } from './responses-response.js';

/** A response, and the conversation that the next request can continue. */
export interface StoredResponse {
  readonly id: string;
  readonly response: ResponsesResponse;
  /** A background response is `waiting` until it is first read. */
  readonly state: 'waiting' | 'done' | 'cancelled';
  readonly background: boolean;
  /** The conversation including this response. Instructions are not part of it, because they do not carry over. */
  readonly turns: readonly Turn[];
  readonly input: readonly (JsonObject & { readonly id: string })[];
}
