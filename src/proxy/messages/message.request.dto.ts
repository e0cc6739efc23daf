import type { JsonObject } from '../../validation/check.js';
import { ArrayField, BooleanField, Field, IntegerField, NumberField, ObjectField } from '../../validation/fields.js';
import { modelName } from '../../validation/model-name.rules.js';
import { string } from '../../validation/scalar-kinds.js';
import { STOP_SEQUENCES_MAX } from '../../validation/compound-kinds.js';
import { thinking } from '../chat/chat-fields.rules.js';
import { betas } from './betas.js';
import { content, turns } from './message-content.rules.js';
import { messageToolChoice, messageTools } from './message-tools.rules.js';

export class MessageRequest {
  @Field(modelName, {
    required: true,
    readByGateway: 'required',
    description: 'ID of a chat model.',
    example: 'claude-3-5-sonnet-20241022',
  })
  model: string;

  @IntegerField({ required: true, min: 1, example: 256 })
  max_tokens: number;

  @Field(turns, { required: true, example: [{ role: 'user', content: 'Say hello.' }] })
  messages: JsonObject[];

  @Field(content, { description: 'System prompt.' })
  system?: string | JsonObject[] | null;

  @NumberField({ min: 0, max: 1 })
  temperature?: number | null;

  @NumberField({ min: 0, max: 1 })
  top_p?: number | null;

  @IntegerField({ min: 1 })
  top_k?: number | null;

  @BooleanField({ readByGateway: 'optional', description: 'Sends the response as server-sent events.' })
  stream?: boolean | null;

  @ArrayField(string(), { max: STOP_SEQUENCES_MAX })
  stop_sequences?: string[] | null;

  @Field(messageTools)
  tools?: JsonObject[] | null;

  @Field(messageToolChoice)
  tool_choice?: JsonObject | null;

  @Field(thinking)
  thinking?: JsonObject | null;

  @Field(betas, {
    description: 'Beta features. They are sent upstream in the `anthropic-beta` header instead of the body.',
  })
  betas?: string[] | null;

  @ObjectField({ user_id: string() })
  metadata?: { user_id?: string | null } | null;
}
