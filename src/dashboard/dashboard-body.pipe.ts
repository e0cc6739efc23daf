import { createParamDecorator, type PipeTransform } from '@nestjs/common';
import { ApiBody } from '@nestjs/swagger';
import { contextOf } from '../request-context/context.decorator.js';
import { compileRules } from '../validation/compile-rules.js';

type Body = Readonly<Record<string, unknown>>;

const ParsedBody = createParamDecorator((_data: unknown, host) => contextOf(host).json ?? {});

/** Hands a handler the call's body once the rules of `Dto` have passed it, and puts it into the API description. */
export const DashboardBody =
  (Dto: new () => object): ParameterDecorator =>
  (target, method, index) => {
    ParsedBody(new DashboardBodyPipe(Dto))(target, method, index);
    if (method !== undefined) ApiBody({ type: Dto })(target, method, Object.getOwnPropertyDescriptor(target, method)!);
  };

/** What is wrong is told as under /admin: the first violation, as `validation_error` with its `param` (D16). */
class DashboardBodyPipe implements PipeTransform<Body> {
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
