import { ApiBody } from '@nestjs/swagger';
import { ParsedBody, declareInput } from '../request-context/context.decorator.js';
import { BodyPipe } from '../validation/body.pipe.js';

/** Hands a handler the call's body once the rules of `Dto` have passed it, and puts it into the API description. */
export const DashboardBody =
  (Dto: new () => object): ParameterDecorator =>
  (target, method, index) => {
    ParsedBody(new BodyPipe(Dto))(target, method, index);
    declareInput('body', target, method);
    if (method !== undefined) ApiBody({ type: Dto })(target, method, Object.getOwnPropertyDescriptor(target, method)!);
  };
