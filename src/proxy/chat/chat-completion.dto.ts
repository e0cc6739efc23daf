import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import type { JsonObject } from '../../platform/validation/check.js';
import { mapOf, stopSequences } from '../../platform/validation/compound-kinds.js';
import {
  ArrayField,
  BooleanField,
  EnumField,
  Field,
  IntegerField,
  NumberField,
  ObjectField,
  StringField,
} from '../../platform/validation/fields.js';
import { modelName } from '../../platform/validation/model-name.rules.js';
import { Rules } from '../../platform/validation/body-rules.js';
import { boolean, integer, number, string } from '../../platform/validation/scalar-kinds.js';
import {
  asksForAudio,
  audioOutput,
  modalities,
  chatMessages,
  olderReasoningSampling,
  prediction,
  responseFormat,
  thinking,
} from './chat-field-kinds.js';
import { functionTools, legacyFunctionCall, legacyFunctions, toolChoice } from './tool.rules.js';

@Rules(olderReasoningSampling)
export class ChatCompletionRequest {
  @Field(modelName, {
    required: true,
    readByGateway: 'required',
    description: 'ID of a chat model.',
    example: 'gpt-4o-mini',
  })
  model: string;

  @Field(chatMessages, { required: true, example: [{ role: 'user', content: 'Say hello.' }] })
  messages: JsonObject[];

  @BooleanField({ readByGateway: 'optional', description: 'Sends the response as server-sent events.' })
  stream?: boolean | null;

  @ObjectField({ include_usage: boolean() }, { onlyWith: { stream: true } })
  stream_options?: { include_usage?: boolean | null } | null;

  @NumberField({ min: 0, max: 2 })
  temperature?: number | null;

  @NumberField({ min: 0, max: 1 })
  top_p?: number | null;

  @IntegerField({ min: 1 })
  max_tokens?: number | null;

  @IntegerField({ min: 1 })
  max_completion_tokens?: number | null;

  @IntegerField({ min: 1 })
  n?: number | null;

  @Field(stopSequences)
  stop?: string | string[] | null;

  @NumberField({ min: -2, max: 2 })
  presence_penalty?: number | null;

  @NumberField({ min: -2, max: 2 })
  frequency_penalty?: number | null;

  @Field(mapOf(number({ min: -100, max: 100 })), { description: 'Biases by token ID.' })
  logit_bias?: Record<string, number> | null;

  @BooleanField()
  logprobs?: boolean | null;

  @IntegerField({ min: 0, max: 20, onlyWith: { logprobs: true } })
  top_logprobs?: number | null;

  @BooleanField()
  parallel_tool_calls?: boolean | null;

  @StringField({ max: 256 })
  user?: string | null;

  @IntegerField()
  seed?: number | null;

  @BooleanField()
  store?: boolean | null;

  @EnumField(['auto', 'default', 'flex', 'scale'])
  service_tier?: string | null;

  @EnumField(['low', 'medium', 'high', 'auto'])
  reasoning_effort?: string | null;

  @IntegerField({ min: 0, description: '0 disables extended thinking.' })
  max_reasoning_tokens?: number | null;

  @Field(thinking)
  thinking?: JsonObject | null;

  @Field(modalities)
  modalities?: string[] | null;

  @Field(audioOutput, { requiredIf: asksForAudio, description: 'Required if `modalities` includes `audio`.' })
  audio?: JsonObject | null;

  @IntegerField({ min: 1 })
  top_k?: number | null;

  @NumberField({ min: 0, max: 1 })
  min_p?: number | null;

  @NumberField({ min: 0, max: 1 })
  top_a?: number | null;

  @NumberField({ above: 0 })
  repetition_penalty?: number | null;

  @ObjectField({ thinking_budget: integer({ min: 0 }) })
  thinking_config?: { thinking_budget?: number | null } | null;

  @ArrayField(string({ min: 1 }))
  transforms?: string[] | null;

  @ObjectField({}, { description: 'Routing hints. They are forwarded.' })
  provider?: JsonObject | null;

  @Field(prediction)
  prediction?: JsonObject | null;

  @Field(legacyFunctions, { deprecated: true, description: 'Use `tools`.' })
  functions?: JsonObject[] | null;

  @Field(legacyFunctionCall, { deprecated: true, description: 'Use `tool_choice`.' })
  function_call?: string | JsonObject | null;

  @ObjectField()
  web_search_options?: JsonObject | null;

  @Field(functionTools)
  tools?: JsonObject[] | null;

  @Field(toolChoice)
  tool_choice?: string | JsonObject | null;

  @Field(responseFormat)
  response_format?: JsonObject | null;
}

export class ChatUsage {
  @ApiProperty({ type: 'integer' })
  prompt_tokens: number;

  @ApiProperty({ type: 'integer' })
  completion_tokens: number;

  @ApiProperty({ type: 'integer' })
  total_tokens: number;
}

class ChatMessage {
  @ApiProperty({ type: 'string', example: 'assistant' })
  role: string;

  @ApiProperty({ type: 'string', nullable: true })
  content: string | null;
}

class ChatChoice {
  @ApiProperty({ type: 'integer' })
  index: number;

  @ApiProperty({ type: ChatMessage })
  message: ChatMessage;

  @ApiProperty({ type: 'string', nullable: true, example: 'stop' })
  finish_reason: string | null;
}

export class ChatCompletion {
  @ApiProperty({ type: 'string', example: 'chatcmpl-9x2k' })
  id: string;

  @ApiProperty({ type: 'string', enum: ['chat.completion'] })
  object: 'chat.completion';

  @ApiProperty({ type: 'integer', description: 'Unix timestamp in seconds.' })
  created: number;

  @ApiProperty({ type: 'string' })
  model: string;

  @ApiProperty({ type: [ChatChoice] })
  choices: ChatChoice[];

  @ApiProperty({ type: ChatUsage })
  usage: ChatUsage;
}

class ChatDelta {
  @ApiPropertyOptional({ type: 'string' })
  role?: string;

  @ApiPropertyOptional({ type: 'string', nullable: true })
  content?: string | null;
}

class ChatChunkChoice {
  @ApiProperty({ type: 'integer' })
  index: number;

  @ApiProperty({ type: ChatDelta })
  delta: ChatDelta;

  @ApiProperty({ type: 'string', nullable: true })
  finish_reason: string | null;
}

export class ChatCompletionChunk {
  @ApiProperty({ type: 'string', example: 'chatcmpl-9x2k' })
  id: string;

  @ApiProperty({ type: 'string', enum: ['chat.completion.chunk'] })
  object: 'chat.completion.chunk';

  @ApiProperty({ type: 'integer', description: 'Unix timestamp in seconds.' })
  created: number;

  @ApiProperty({ type: 'string' })
  model: string;

  @ApiProperty({ type: [ChatChunkChoice] })
  choices: ChatChunkChoice[];

  @ApiPropertyOptional({ type: ChatUsage, nullable: true, description: 'In the last chunk, if requested.' })
  usage?: ChatUsage | null;
}
