import type { PipeTransform } from '@nestjs/common';
import { plainToInstance } from 'class-transformer';
import { invalidFields, unsupportedParameter } from '../errors/error-factories.js';
import { InputRules, type Violation } from './input-rules.js';

type Raw = Readonly<Record<string, unknown>>;

export interface InputOptions {
  readonly source: 'body' | 'query';
  /** Under /v1, unknown parameters are ignored and violations are `invalid_value`. */
  readonly edge?: 'operators' | 'v1';
}

/**
 * Converts operator input to a valid instance of `Dto`. It reports the first violation with its `param` (D16), and all of them in
 * `details`. Violations of single fields come first, in the order of the class. Then follow unknown fields, and rules over several fields.
 */
export class InputPipe<T extends object = object> implements PipeTransform<Raw, T> {
  private readonly rules: InputRules;

  constructor(
    private readonly Dto: new () => T,
    private readonly options: InputOptions,
  ) {
    this.rules = new InputRules(Dto, options.source === 'query');
  }

  /** @throws GatewayError `validation_error` (/v1: `invalid_value`) */
  transform(raw: Raw): T {
    const input = this.options.source === 'query' ? this.converted(raw) : raw;
    const found = [...this.rules.fieldViolations(input), ...this.unknownFields(raw)];
    const [first = this.rules.laterViolation(input)] = found;
    if (first === null) return input === raw ? Object.assign(new this.Dto(), raw) : (input as T);
    if (this.options.edge === 'v1') throw first.error;
    const all = found.length === 0 ? [first] : found;
    throw invalidFields(all.map(({ field, error }) => ({ param: field, message: error.message })));
  }

  /** class-transformer recurses, so it gets no values below the first level. */
  private converted(query: Raw): T {
    const flat = Object.entries(query)
      .filter(([name]) => this.rules.knows(name))
      .map(([name, value]) => [name, Array.isArray(value) ? [] : value]);
    return plainToInstance(this.Dto, Object.fromEntries(flat));
  }

  private unknownFields(raw: Raw): Violation[] {
    const names = this.options.edge === 'v1' ? [] : this.rules.unknownFields(raw);
    return names.map((field) => ({ field, error: unsupportedParameter(field) }));
  }
}
