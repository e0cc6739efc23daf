import { Injectable, type PipeTransform } from '@nestjs/common';
import { Config } from '../../config/config.js';
import { InputPipe } from '../../validation/input.pipe.js';
import { ListModelsRequest } from './list-models.request.dto.js';

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
