import { ApiBody } from '@nestjs/swagger';
import { declareInput, ParsedBody } from '../request-context/context.decorator.js';

/**
 * Passes the body to a handler as it is, because `InputPipe` reads only flat bodies. The handler must check it.
 * @param Dto describes it
 * @param example replaces the fields' examples in /docs, as in `ValidBody`
 */
export const NestedBody =
  <T extends object>(Dto: new () => T, example?: Partial<T>): ParameterDecorator =>
  (target, method, index) => {
    ParsedBody()(target, method, index);
    declareInput('body', target, method);
    if (method === undefined) return;
    const examples = example === undefined ? undefined : { change: { value: example } };
    ApiBody({ type: Dto, required: true, examples })(target, method, Object.getOwnPropertyDescriptor(target, method)!);
  };
