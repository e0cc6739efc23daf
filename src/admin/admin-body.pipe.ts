import { createParamDecorator, type PipeTransform } from '@nestjs/common';
import { ApiBody } from '@nestjs/swagger';
import { contextOf } from '../request-context/context.decorator.js';
import { compileRules } from '../validation/compile-rules.js';
import { declareInput } from './unknown-input.guard.js';

type Body = Readonly<Record<string, unknown>>;

/** No body at all counts as `{}` (D16). */
const ParsedBody = createParamDecorator((_data: unknown, host) => contextOf(host).json ?? {});

/** Hands a handler the call's body once the rules of `Dto` have passed it, and puts it into the API description. */
export const AdminBody =
  (Dto: new () => object): ParameterDecorator =>
  (target, method, index) => {
    ParsedBody(new AdminBodyPipe(Dto))(target, method, index);
    declareInput('body', target, method);
    if (method === undefined) return;
    ApiBody({ type: Dto })(target, method, Object.getOwnPropertyDescriptor(target, method)!);
  };

/** Answers the first violation, an unknown field among them, as `validation_error` with its `param` (D16). */
class AdminBodyPipe implements PipeTransform<Body> {
  private readonly violationOf;

  constructor(Dto: new () => object) {
    this.violationOf = compileRules(Dto, { unknownFields: 'refuse', nullIsAbsent: false, code: 'validation_error' });
  }

  transform(body: Body): Body {
    const violation = this.violationOf(body);
    if (violation !== null) throw violation;
    return body;
  }
}
