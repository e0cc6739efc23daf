import type { JsonObject } from '../wire/json-object.js';

export interface Thread {
  readonly id: string;
  readonly object: 'thread';
  readonly created_at: number;
  readonly tool_resources: JsonObject;
  readonly metadata: JsonObject;
}
