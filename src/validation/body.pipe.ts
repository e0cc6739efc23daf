import type { PipeTransform } from '@nestjs/common';
import { compileRules } from './compile-rules.js';

type Body = Readonly<Record<string, unknown>>;

/**
 * Passes a body on in which the rules of `Dto` find nothing wrong. For operators' calls: the first violation, an unknown field
 * among them, is a `validation_error` with its `param` (D16).
 */
export class BodyPipe implements PipeTransform<Body> {
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
