import { ApiPropertyOptional } from '@nestjs/swagger';
import { Injectable, type PipeTransform } from '@nestjs/common';
import { LISTED_CATEGORIES } from '../../model-policy/model-allowlist.service.js';
import { MODEL_ENDPOINTS } from '../../model-policy/registry/endpoints.data.js';
import { PROVIDER_SLUG, type ModelFlag } from '../../model-policy/registry/model-facts.js';
import { QueryEnum, QueryFlag, QueryInteger, QueryText } from '../../validation/query-fields.js';
import { Config } from '../../config/config.js';
import { InputPipe } from '../../validation/input.pipe.js';

/** What `GET /v1/models` can be asked for (D31); undefined: left out. All combine. */
export class ListModelsRequest implements Partial<Record<ModelFlag, boolean>> {
  @QueryText({ min: 1, max: 200, description: 'Found in the id, whatever the case.' })
  search?: string;

  @QueryEnum(LISTED_CATEGORIES)
  category?: string;

  @QueryEnum(MODEL_ENDPOINTS, { description: 'A path that the model can be called at. Leaves custom models out.' })
  endpoint?: string;

  @QueryText({ pattern: PROVIDER_SLUG, description: '`gw_provider`. Leaves custom models out.' })
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

  @QueryEnum(['id', 'created'], { description: "Left out: the upstream's order." })
  sort_by?: 'id' | 'created';

  @QueryEnum(['asc', 'desc'], { byDefault: 'asc', description: 'Only with `sort_by`, yet checked without it too.' })
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
 * Stage 7 of the model listing. The first parameter that is wrong or repeated is `invalid_value`; unknown ones are ignored
 * (D31). With `GW_PROFILE=current` the vendors' paging parameters are accepted with any value.
 */
@Injectable()
export class ModelsQueryPipe implements PipeTransform<Raw, Promise<ListModelsRequest>> {
  private readonly input = new InputPipe(ListModelsRequest, { source: 'query', edge: 'v1' });

  constructor(private readonly config: Config) {}

  async transform(raw: Raw): Promise<ListModelsRequest> {
    if (!this.config.current) return this.input.transform(raw);
    const { limit, after_id, before_id, ...filters } = raw;
    return Object.assign(await this.input.transform(filters), {
      limit: countOf(limit),
      after_id: textOf(after_id),
      before_id: textOf(before_id),
    });
  }
}

/** A usable limit; undefined, which limits nothing, for any other value. */
const countOf = (text: unknown): number | undefined =>
  typeof text === 'string' && /^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined;

const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);
