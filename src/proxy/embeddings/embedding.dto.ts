import { ApiProperty } from '@nestjs/swagger';
import type { JsonObject, Kind } from '../../platform/validation/check.js';
import { arrayOf, either } from '../../platform/validation/compound-kinds.js';
import { EnumField, Field, IntegerField, StringField } from '../../platform/validation/fields.js';
import { modelName } from '../../platform/validation/model-name.rules.js';
import { string } from '../../platform/validation/scalar-kinds.js';

const input: Kind = either({ string: string(), array: arrayOf(string(), { min: 1 }) });

/** Cohere's v3 models. Their vectors depend on the purpose of the text (D11). */
const NEEDS_INPUT_TYPE = /(?:^|\/)embed-[^/]*-v3[^/]*$/;

const needsInputType = ({ model }: JsonObject): boolean => typeof model === 'string' && NEEDS_INPUT_TYPE.test(model);

export class EmbeddingRequest {
  @Field(modelName, {
    required: true,
    readByGateway: 'required',
    description: 'ID of an embedding model.',
    example: 'text-embedding-3-small',
  })
  model: string;

  @Field(input, { required: true, description: 'One text, or a list of them.', example: ['first text', 'second text'] })
  input: string | string[];

  @EnumField(['float', 'base64'], { byDefault: 'float' })
  encoding_format?: string | null;

  @IntegerField({ min: 1, description: "Supported by OpenAI's third-generation models." })
  dimensions?: number | null;

  @EnumField(['search_query', 'search_document', 'classification', 'clustering'], {
    requiredIf: needsInputType,
    description: "Required by Cohere's v3 models. Other models ignore it.",
  })
  input_type?: string | null;

  @EnumField(['NONE', 'START', 'END'], { byDefault: 'END', description: 'Supported only by Cohere.' })
  truncate?: string | null;

  @StringField({ max: 256 })
  user?: string | null;
}

class EmbeddingUsage {
  @ApiProperty({ type: 'integer' })
  prompt_tokens: number;

  @ApiProperty({ type: 'integer' })
  total_tokens: number;
}

class Embedding {
  @ApiProperty({ type: 'string', enum: ['embedding'] })
  object: 'embedding';

  @ApiProperty({ type: 'integer' })
  index: number;

  @ApiProperty({
    oneOf: [
      { type: 'array', items: { type: 'number' } },
      { type: 'string', description: 'With `encoding_format: "base64"`.' },
    ],
  })
  embedding: number[] | string;
}

export class EmbeddingList {
  @ApiProperty({ type: 'string', enum: ['list'] })
  object: 'list';

  @ApiProperty({ type: [Embedding] })
  data: Embedding[];

  @ApiProperty({ type: 'string' })
  model: string;

  @ApiProperty({ type: EmbeddingUsage })
  usage: EmbeddingUsage;
}
