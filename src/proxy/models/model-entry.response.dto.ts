import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { LISTED_CATEGORIES } from '../../model-policy/model-allowlist.service.js';
import { MODEL_ENDPOINTS } from '../../model-policy/registry/endpoints.data.js';
import { AVAILABILITIES, PROVIDER_SLUG } from '../../model-policy/registry/model-facts.js';

/** One model: the upstream's standard fields and the gateway's own. */
export class ModelEntryAnswer {
  @ApiProperty({ example: 'gpt-4o-mini' })
  id: string;

  @ApiProperty({ enum: ['model'] })
  object: 'model';

  @ApiProperty({ type: 'integer', description: 'Unix seconds.' })
  created: number;

  @ApiProperty({ example: 'openai' })
  owned_by: string;

  @ApiProperty({ description: 'Whether the gateway routes the model now.' })
  gw_available: boolean;

  @ApiProperty({ enum: AVAILABILITIES })
  gw_availability: string;

  @ApiPropertyOptional({ enum: LISTED_CATEGORIES })
  gw_category?: string;

  @ApiPropertyOptional({ type: [String], enum: MODEL_ENDPOINTS, description: 'Paths that the model can be called at.' })
  gw_endpoints?: string[];

  @ApiPropertyOptional({
    pattern: PROVIDER_SLUG.source,
    description: 'Who made the model. Left out for custom models.',
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
}

export class ModelListAnswer {
  @ApiProperty({ enum: ['list'] })
  object: 'list';

  @ApiProperty({ type: [ModelEntryAnswer] })
  data: ModelEntryAnswer[];
}
