import type { JsonObject } from '../../validation/check.js';
import { anything, arrayOf, either } from '../../validation/compound-kinds.js';
import {
  BooleanField,
  EnumField,
  Field,
  IntegerField,
  NumberField,
  ObjectField,
  StringField,
} from '../../validation/fields.js';
import { modelName } from '../../validation/model-name.rules.js';
import { oneOf, string } from '../../validation/scalar-kinds.js';
import { responseFormat } from '../chat/chat-fields.rules.js';
import { responseMetadata, responseToolChoice, responseTools } from './response-fields.rules.js';

/** The upstream validates the items. */
const input = either({ string: string(), array: arrayOf(anything, { min: 1 }) });

export class ResponseRequest {
  @Field(modelName, {
    required: true,
    readByGateway: 'optional',
    description: 'ID of an OpenAI text model.',
    example: 'gpt-4o-mini',
  })
  model: string;

  @Field(input, { required: true, example: 'Say hello.' })
  input: string | unknown[];

  @StringField()
  instructions?: string | null;

  @StringField({ description: 'ID of a stored response to continue from.' })
  previous_response_id?: string | null;

  @StringField({ max: 256 })
  user?: string | null;

  @IntegerField({ min: 16 })
  max_output_tokens?: number | null;

  @NumberField({ min: 0, max: 2 })
  temperature?: number | null;

  @NumberField({ min: 0, max: 1 })
  top_p?: number | null;

  @BooleanField({ readByGateway: 'optional', description: 'Sends the response as server-sent events.' })
  stream?: boolean | null;

  @BooleanField()
  store?: boolean | null;

  @BooleanField()
  parallel_tool_calls?: boolean | null;

  @EnumField(['auto', 'disabled'])
  truncation?: string | null;

  @Field(responseMetadata)
  metadata?: Record<string, string> | null;

  @ObjectField({ effort: oneOf('low', 'medium', 'high'), summary: string() })
  reasoning?: { effort?: string | null; summary?: string | null } | null;

  @Field(responseFormat)
  response_format?: JsonObject | null;

  @Field(responseTools, {
    description: 'Functions, flat or nested. Other types are rejected unless the operator allows them.',
  })
  tools?: JsonObject[] | null;

  @Field(responseToolChoice)
  tool_choice?: string | JsonObject | null;
}
