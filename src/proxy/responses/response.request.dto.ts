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

/** Items of the input are the upstream's to judge. */
const input = either({ string: string(), array: arrayOf(anything, { min: 1 }) });

/**
 * Body of POST /v1/responses. Read for its rules only: the bytes go upstream as they came, with every other field.
 * The order of the fields is the order in which violations are told, required ones first (D1).
 */
export class ResponseRequest {
  @Field(modelName, {
    required: true,
    readByGateway: 'optional',
    description: "Id of one of OpenAI's own text models.",
    example: 'gpt-4o-mini',
  })
  model: string;

  @Field(input, { required: true, example: 'Say hello.' })
  input: string | unknown[];

  @StringField()
  instructions?: string | null;

  @StringField({ description: 'Id of a stored response that this one goes on from.' })
  previous_response_id?: string | null;

  @StringField({ max: 256 })
  user?: string | null;

  @IntegerField({ min: 16 })
  max_output_tokens?: number | null;

  @NumberField({ min: 0, max: 2 })
  temperature?: number | null;

  @NumberField({ min: 0, max: 1 })
  top_p?: number | null;

  @BooleanField({ readByGateway: 'optional', description: 'Answers as server-sent events.' })
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
    description: 'Functions, flat or nested. Other types are refused unless the operator has opened the list.',
  })
  tools?: JsonObject[] | null;

  @Field(responseToolChoice)
  tool_choice?: string | JsonObject | null;
}
