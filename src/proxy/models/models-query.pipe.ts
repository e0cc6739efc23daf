import { Injectable, type PipeTransform } from '@nestjs/common';
import { compileQuery } from '../../validation/compile-query.js';
import { ListModelsRequest } from './list-models.request.dto.js';

/** Stage 7 of the listing: the first parameter that is wrong or given twice is `invalid_value`, unknown ones are ignored (D31). */
@Injectable()
export class ModelsQueryPipe implements PipeTransform<Readonly<Record<string, unknown>>, ListModelsRequest> {
  private readonly read = compileQuery(ListModelsRequest, { unknownParameters: 'pass' });

  transform(raw: Readonly<Record<string, unknown>>): ListModelsRequest {
    return this.read(raw);
  }
}
