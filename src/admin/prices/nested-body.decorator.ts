import { ApiBody } from '@nestjs/swagger';
import { declareInput, ParsedBody } from '../../request-context/context.decorator.js';

/** Passes the body to a handler as it is, because `InputPipe` reads only flat bodies. The handler must check it. @param Dto describes it */
export const NestedBody =
  (Dto: new () => object): ParameterDecorator =>
  (target, method, index) => {
    ParsedBody()(target, method, index);
    declareInput('body', target, method);
    if (method === undefined) return;
    ApiBody({ type: Dto, required: true })(target, method, Object.getOwnPropertyDescriptor(target, method)!);
  };
