import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Config } from '../../platform/config/config.js';
import { contextOf, fieldsOf, type Dto } from '../../platform/request-context/context.decorator.js';
import { compileRules, type BodyRules } from '../../platform/validation/body-rules.js';

/** Stage 7. No DTO instance is created, because the client's bytes go upstream. A pipe would cost five promises. */
@Injectable()
export class ValidationGuard implements CanActivate {
  private readonly compiled = new Map<Dto, BodyRules>();

  constructor(private readonly config: Config) {}

  canActivate(host: ExecutionContext): true {
    const dto = fieldsOf(host.getHandler());
    if (dto === undefined) return true;
    const violation = this.rulesOf(dto)(contextOf(host).body.json ?? {});
    if (violation !== null) throw violation;
    return true;
  }

  private rulesOf(dto: Dto): BodyRules {
    let rules = this.compiled.get(dto);
    if (rules === undefined) {
      rules = compileRules(dto, {
        lenient: this.config.validation === 'lenient',
        onlyReadByGateway: this.config.validation === 'provider',
        anyTool: this.config.responsesTools === 'any',
      });
      this.compiled.set(dto, rules);
    }
    return rules;
  }
}
