import { Injectable, type ArgumentMetadata, type PipeTransform } from '@nestjs/common';
import { Config } from '../config/config.js';
import type { GatewayError } from '../errors/gateway-error.js';
import type { RequestContext } from '../request-context/request-context.js';
import { compileRules } from '../validation/compile-rules.js';

type Dto = new () => object;
type Rules = (body: Readonly<Record<string, unknown>>) => GatewayError | null;

/**
 * Stage 7: the fields of the body. The DTO judges the body and never becomes it: the client's bytes go upstream.
 * Rules are compiled once for each DTO, at its first request.
 */
@Injectable()
export class ValidationPipe implements PipeTransform {
  private readonly compiled = new Map<Dto, Rules>();

  constructor(private readonly config: Config) {}

  transform(value: unknown, { type, data }: ArgumentMetadata & { data?: unknown }): unknown {
    if (type !== 'custom' || typeof data !== 'function') return value;
    const ctx = value as RequestContext;
    const violation = this.rulesOf(data)(ctx.json ?? {});
    if (violation !== null) throw violation;
    return ctx;
  }

  private rulesOf(dto: Dto): Rules {
    let rules = this.compiled.get(dto);
    if (rules === undefined) {
      rules = compileRules(dto, {
        unknownFields: 'pass',
        nullIsAbsent: true,
        lenient: this.config.validation === 'lenient',
        anyTool: this.config.responsesTools === 'any',
      });
      this.compiled.set(dto, rules);
    }
    return rules;
  }
}
