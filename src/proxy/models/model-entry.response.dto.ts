import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { LISTED_CATEGORIES } from '../../model-policy/model-allowlist.service.js';
import { MODEL_ENDPOINTS } from '../../model-policy/registry/endpoints.data.js';
import { AVAILABILITIES, PROVIDER_SLUG } from '../../model-policy/registry/model-facts.js';

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
