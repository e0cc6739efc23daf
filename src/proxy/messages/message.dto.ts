import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import type { IncomingHttpHeaders } from 'node:http';
import type { JsonObject, Kind } from '../../platform/validation/check.js';
import {
  ArrayField,
  BooleanField,
  Field,
  IntegerField,
  NumberField,
  ObjectField,
} from '../../platform/validation/fields.js';
import { modelName } from '../../platform/validation/model-name.rules.js';
import { string } from '../../platform/validation/scalar-kinds.js';
import { STOP_SEQUENCES_MAX, arrayOf } from '../../platform/validation/compound-kinds.js';
import { thinking } from '../chat/chat-field-kinds.js';
import { content, turns, messageToolChoice, messageTools } from './message-content.rules.js';
import { invalidValue } from '../../platform/errors/error-factories.js';
import type { RequestContext } from '../../platform/request-context/request-context.js';
import { HEADER_VALUE } from '../../upstream/header-allowlists.js';
import type { ForwardPlan } from '../forward-plan.js';
import { removeTopLevelFields } from '../../platform/json/top-level-fields.js';

/** The names are sent as one header, and servers limit the size of headers. */
const BETAS_CHARACTERS_MAX = 8_192;

const names = arrayOf(string({ pattern: /^[\x20-\x7e]*$/, expected: 'printable ASCII characters' }));

const betas: Kind = {
  check: (value, param, mode) => {
    const violation = names.check(value, param, mode);
    if (violation !== null) return violation;
    const characters = (value as string[]).reduce((sum, name) => sum + name.length, 0);
    return characters > BETAS_CHARACTERS_MAX
      ? invalidValue(param, `at most ${BETAS_CHARACTERS_MAX} characters in total`)
      : null;
  },
  schema: names.schema,
};

const BETAS = 'betas';
const HEADER = 'anthropic-beta';
const UNCHANGED: ForwardPlan = {};

/**
 * Moves `betas` to the `anthropic-beta` header, after the client's own values (D6, D30). Invalid `betas` get here only with
 * `GW_VALIDATION=provider`. They stay in the body, and the provider reports the error.
 */
export function betasAsHeader({ body }: RequestContext, headers: IncomingHttpHeaders): ForwardPlan {
  const { bytes, json } = body;
  if (bytes === null || json === null || !Object.hasOwn(json, BETAS)) return UNCHANGED;
  const given = json[BETAS] ?? [];
  if (betas.check(given, BETAS, { lenient: false }) !== null) return UNCHANGED;
  const names = mergeBetas(headers[HEADER], given as string[]);
  return {
    body: removeTopLevelFields(bytes, [BETAS]),
    ...(names.length > 0 && { headers: { [HEADER]: names.join(',') } }),
  };
}

function mergeBetas(header: string | string[] | undefined, fromBody: readonly string[]): string[] {
  const own = typeof header === 'string' && HEADER_VALUE.test(header) ? [header] : [];
  const names = [...own, ...fromBody].flatMap((list) => list.split(',')).map((name) => name.trim());
  return [...new Set(names)].filter((name) => name !== '');
}

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

class MessageUsage {
  @ApiProperty({ type: 'integer' })
  input_tokens: number;

  @ApiProperty({ type: 'integer' })
  output_tokens: number;
}

class MessageBlock {
  @ApiProperty({ type: 'string', example: 'text' })
  type: string;

  @ApiPropertyOptional({ type: 'string', example: 'Hello.' })
  text?: string;
}

export class Message {
  @ApiProperty({ type: 'string', example: 'msg_01XFDUDYJgAACzvnptvVoYEL' })
  id: string;

  @ApiProperty({ type: 'string', enum: ['message'] })
  type: 'message';

  @ApiProperty({ type: 'string', enum: ['assistant'] })
  role: 'assistant';

  @ApiProperty({ type: [MessageBlock] })
  content: MessageBlock[];

  @ApiProperty({ type: 'string' })
  model: string;

  @ApiProperty({ type: 'string', nullable: true, example: 'end_turn' })
  stop_reason: string | null;

  @ApiProperty({ type: 'string', nullable: true })
  stop_sequence: string | null;

  @ApiProperty({ type: MessageUsage })
  usage: MessageUsage;
}

export class MessageStreamEvent {
  @ApiProperty({
    type: 'string',
    enum: [
      'message_start',
      'content_block_start',
      'content_block_delta',
      'content_block_stop',
      'message_delta',
      'message_stop',
      'ping',
      'error',
    ],
  })
  type: string;

  @ApiPropertyOptional({
    type: Message,
    description: 'In `message_start`: the message with its `input_tokens`, without content.',
  })
  message?: Message;

  @ApiPropertyOptional({ type: 'integer', description: 'In `content_block_*`: the index of the block.' })
  index?: number;

  @ApiPropertyOptional({ type: MessageBlock, description: 'In `content_block_start`.' })
  content_block?: MessageBlock;

  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: true,
    description: 'In `content_block_delta`: a piece of the block. In `message_delta`: the `stop_reason`.',
  })
  delta?: Record<string, unknown>;

  @ApiPropertyOptional({ type: MessageUsage, description: 'In `message_delta`: the `output_tokens` so far.' })
  usage?: MessageUsage;
}
