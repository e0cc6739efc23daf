import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ChatUsage } from '../chat/chat-completion.dto.js';
import { unsupportedParameter } from '../../platform/errors/error-factories.js';
import type { Kind } from '../../platform/validation/check.js';
import { arrayOf, either, stopSequences } from '../../platform/validation/compound-kinds.js';
import {
  BooleanField,
  Field,
  IntegerField,
  NumberField,
  ObjectField,
  StringField,
} from '../../platform/validation/fields.js';
import { modelName } from '../../platform/validation/model-name.rules.js';
import { boolean, string } from '../../platform/validation/scalar-kinds.js';

export const prompt: Kind = either({ string: string(), array: arrayOf(string()) });

const NATIVE_ONLY = 'Accepted only for native completions with `GW_VALIDATION=provider`.';

/** A parameter without an equivalent in chat completions. */
const unsupportedField: Kind = {
  check: (_value, param) => unsupportedParameter(param),
  schema: { type: 'null' },
};

export class CompletionRequest {
  @Field(modelName, {
    required: true,
    readByGateway: 'required',
    description: 'ID of a chat model or a base model.',
    example: 'gpt-4o-mini',
  })
  model: string;

  @Field(prompt, {
    description:
      'An emulated completion joins the entries of an array with a blank line. With `GW_PROFILE=current`, it accepts only one entry. Token IDs need a native completion and `GW_VALIDATION=provider`.',
    example: 'Once upon a time',
  })
  prompt?: string | string[] | null;

  @IntegerField({ min: 1 })
  max_tokens?: number | null;

  @NumberField({ min: 0, max: 2 })
  temperature?: number | null;

  @NumberField({ min: 0, max: 1 })
  top_p?: number | null;

  @IntegerField({ min: 1 })
  n?: number | null;

  @BooleanField({ description: 'Returns the prompt before the text of each choice.' })
  echo?: boolean | null;

  @Field(stopSequences)
  stop?: string | string[] | null;

  @NumberField({ min: -2, max: 2 })
  presence_penalty?: number | null;

  @NumberField({ min: -2, max: 2 })
  frequency_penalty?: number | null;

  @StringField({ max: 256 })
  user?: string | null;

  @IntegerField()
  seed?: number | null;

  @BooleanField({ readByGateway: 'optional', description: 'Sends the response as server-sent events.' })
  stream?: boolean | null;

  @ObjectField({ include_usage: boolean() }, { onlyWith: { stream: true } })
  stream_options?: { include_usage?: boolean | null } | null;

  @Field(unsupportedField, { deprecated: true, description: NATIVE_ONLY })
  best_of?: number | null;

  @Field(unsupportedField, { deprecated: true, description: NATIVE_ONLY })
  logprobs?: number | null;
}

class CompletionChoice {
  @ApiProperty({ type: 'string' })
  text: string;

  @ApiProperty({ type: 'integer' })
  index: number;

  @ApiProperty({
    type: 'object',
    nullable: true,
    additionalProperties: true,
    description: 'Always null in an emulated completion.',
  })
  logprobs: object | null;

  @ApiProperty({ type: 'string', nullable: true, example: 'stop' })
  finish_reason: string | null;
}

export class Completion {
  @ApiProperty({ type: 'string', example: 'cmpl-9x2k' })
  id: string;

  @ApiProperty({ type: 'string', enum: ['text_completion'] })
  object: 'text_completion';

  @ApiProperty({ type: 'integer', description: 'Unix timestamp in seconds.' })
  created: number;

  @ApiProperty({ type: 'string' })
  model: string;

  @ApiProperty({ type: [CompletionChoice] })
  choices: CompletionChoice[];

  @ApiPropertyOptional({
    type: ChatUsage,
    nullable: true,
    description: 'In a stream, only in the last chunk and only if requested.',
  })
  usage?: ChatUsage | null;
}
