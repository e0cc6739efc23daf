import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Injectable, type PipeTransform } from '@nestjs/common';
import { LISTED_CATEGORIES, MODEL_ENDPOINTS } from '../../model-policy/registry/endpoints.data.js';
import { AVAILABILITIES, PROVIDER_SLUG, type ModelFlag } from '../../model-policy/registry/model-facts.js';
import { QueryEnum, QueryFlag, QueryInteger, QueryText } from '../../platform/validation/query-fields.js';
import { Config } from '../../platform/config/config.js';
import { InputPipe } from '../../platform/validation/input.pipe.js';

/** All filters combine (D31). */
export class ListModelsRequest implements Partial<Record<ModelFlag, boolean>> {
  @QueryText({ min: 1, max: 200, description: 'Text in the model ID, case-insensitive.' })
  search?: string;

  @QueryEnum(LISTED_CATEGORIES)
  category?: string;

  @QueryEnum(MODEL_ENDPOINTS, { description: 'A path that serves the model. Excludes custom models.' })
  endpoint?: string;

  @QueryText({
    pattern: PROVIDER_SLUG,
    expected: '2 to 32 lowercase letters, digits, underscores or hyphens',
    description: 'The `gw_provider` of the model. Excludes custom models.',
  })
  provider?: string;

  @QueryFlag()
  reasoning?: boolean;

  @QueryFlag()
  vision?: boolean;

  @QueryFlag()
  web_search?: boolean;

  @QueryFlag()
  audio_input?: boolean;

  @QueryFlag()
  tool_use?: boolean;

  @QueryFlag()
  json_mode?: boolean;

  @QueryFlag()
  thinking?: boolean;

  @QueryFlag()
  computer_use?: boolean;

  @QueryEnum(['id', 'created'], { description: "Default: the upstream's order." })
  sort_by?: 'id' | 'created';

  @QueryEnum(['asc', 'desc'], { byDefault: 'asc', description: 'Used only with `sort_by`, but always validated.' })
  sort_dir: 'asc' | 'desc';

  @QueryInteger({ min: 1, max: 200, description: 'Maximum number of models, after filters and sorting.' })
  limit?: number;

  @ApiPropertyOptional({ description: 'Returns the models after this ID. Ignored unless `GW_PROFILE` is `current`.' })
  after_id?: string;

  @ApiPropertyOptional({ description: 'Returns the models before this ID. Ignored unless `GW_PROFILE` is `current`.' })
  before_id?: string;
}

type Raw = Readonly<Record<string, unknown>>;

/**
 * Rejects the first invalid or repeated parameter with `invalid_value`, and ignores unknown ones (D31). With
 * `GW_PROFILE=current`, the vendors' paging parameters accept any value.
 */
@Injectable()
export class ModelsQueryPipe implements PipeTransform<Raw, ListModelsRequest> {
  private readonly input = new InputPipe(ListModelsRequest, { source: 'query', edge: 'v1' });

  constructor(private readonly config: Config) {}

  transform(raw: Raw): ListModelsRequest {
    if (!this.config.isCurrentProfile) return this.input.transform(raw);
    const { limit, after_id, before_id, ...filters } = raw;
    return Object.assign(this.input.transform(filters), {
      limit: countOf(limit),
      after_id: textOf(after_id),
      before_id: textOf(before_id),
    });
  }
}

const countOf = (text: unknown): number | undefined =>
  typeof text === 'string' && /^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined;

const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

export class ModelEntryResponse {
  @ApiProperty({ example: 'gpt-4o-mini' })
  id: string;

  @ApiProperty({ enum: ['model'] })
  object: 'model';

  @ApiProperty({ type: 'integer', description: 'Unix timestamp in seconds.' })
  created: number;

  @ApiProperty({ example: 'openai' })
  owned_by: string;

  @ApiProperty({ description: 'Whether the gateway currently routes requests to the model.' })
  gw_available: boolean;

  @ApiProperty({ enum: AVAILABILITIES })
  gw_availability: string;

  @ApiPropertyOptional({ enum: LISTED_CATEGORIES })
  gw_category?: string;

  @ApiPropertyOptional({ type: [String], enum: MODEL_ENDPOINTS, description: 'Paths that serve the model.' })
  gw_endpoints?: string[];

  @ApiPropertyOptional({
    pattern: PROVIDER_SLUG.source,
    description: 'Maker of the model. Omitted for custom models.',
  })
  gw_provider?: string;

  @ApiProperty()
  gw_reasoning: boolean;

  @ApiProperty()
  gw_vision: boolean;

  @ApiProperty()
  gw_web_search: boolean;

  @ApiProperty()
  gw_audio_input: boolean;

  @ApiProperty()
  gw_tool_use: boolean;

  @ApiProperty()
  gw_json_mode: boolean;

  @ApiProperty()
  gw_thinking: boolean;

  @ApiProperty()
  gw_computer_use: boolean;

  @ApiPropertyOptional({
    type: [String],
    description: 'Names of the upstreams that serve the model. Only with `GW_UPSTREAMS`.',
  })
  gw_upstreams?: string[];
}

export class ModelListResponse {
  @ApiProperty({ enum: ['list'] })
  object: 'list';

  @ApiProperty({ type: [ModelEntryResponse] })
  data: ModelEntryResponse[];
}
