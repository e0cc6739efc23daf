import type { JsonObject, Kind } from '../../validation/check.js';
import { arrayOf, either } from '../../validation/compound-kinds.js';
import { EnumField, Field, IntegerField, StringField } from '../../validation/fields.js';
import { modelName } from '../../validation/model-name.rules.js';
import { string } from '../../validation/scalar-kinds.js';

const input: Kind = either({ string: string(), array: arrayOf(string(), { min: 1 }) });

/** Cohere's third generation, by the last path part of an id: what a text is for decides its vector there (D11). */
const NEEDS_INPUT_TYPE = /(?:^|\/)embed-[^/]*-v3[^/]*$/;

const needsInputType = ({ model }: JsonObject): boolean => typeof model === 'string' && NEEDS_INPUT_TYPE.test(model);

/**
 * Body of POST /v1/embeddings. Read for its rules only: the bytes go upstream as they came.
 * The order of the fields is the order in which violations are told (docs/behaviour.md, D1).
 */
export class EmbeddingRequest {
  @Field(modelName, {
    required: true,
    readByGateway: 'required',
    description: 'Id of an embedding model.',
    example: 'text-embedding-3-small',
  })
  model: string;

  @Field(input, { required: true, description: 'One text, or a list of them.', example: ['first text', 'second text'] })
  input: string | string[];

  @EnumField(['float', 'base64'], { byDefault: 'float' })
  encoding_format?: string | null;

  @IntegerField({ min: 1, description: "Honoured by OpenAI's third-generation models." })
  dimensions?: number | null;

  @EnumField(['search_query', 'search_document', 'classification', 'clustering'], {
    requiredIf: needsInputType,
    description: "Required by Cohere's v3 models, ignored by others.",
  })
  input_type?: string | null;

  @EnumField(['NONE', 'START', 'END'], { byDefault: 'END', description: 'Honoured by Cohere only.' })
  truncate?: string | null;

  @StringField({ max: 256 })
  user?: string | null;
}
