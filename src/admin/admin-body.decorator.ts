import { ApiBody } from '@nestjs/swagger';
import { ParsedBody } from '../request-context/context.decorator.js';
import { BodyPipe } from '../validation/body.pipe.js';
import { declareInput } from './no-input.guard.js';

/** Hands a handler the call's body once the rules of `Dto` have passed it, and puts it into the API description. */
export const AdminBody =
  (Dto: new () => object): ParameterDecorator =>
  (target, method, index) => {
    ParsedBody(new BodyPipe(Dto))(target, method, index);
    declareInput('body', target, method);
    if (method === undefined) return;
    ApiBody({ type: Dto })(target, method, Object.getOwnPropertyDescriptor(target, method)!);
  };
