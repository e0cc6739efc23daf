import { type PipeTransform, Query } from '@nestjs/common';
import { compileQuery } from '../validation/compile-query.js';
import { declareInput } from '../request-context/context.decorator.js';

type Raw = Readonly<Record<string, unknown>>;

/** Hands a handler the query, read and checked by the rules of `Dto`, which is also the parameter's type. */
export const AdminQuery =
  (Dto: new () => object): ParameterDecorator =>
  (target, method, index) => {
    Query(new AdminQueryPipe(Dto))(target, method, index);
    declareInput('query', target, method);
  };

/** Answers what is wrong, unknown or given twice as `validation_error` with its `param` (D16). */
class AdminQueryPipe implements PipeTransform<Raw> {
  private readonly read: (raw: Raw) => object;

  constructor(Dto: new () => object) {
    this.read = compileQuery(Dto);
  }

  transform(raw: Raw): object {
    return this.read(raw);
  }
}
