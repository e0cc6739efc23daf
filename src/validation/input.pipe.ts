import { ValidationPipe } from '@nestjs/common';
import type { ValidationError } from 'class-validator';
import { invalidValue, missingRequiredParameter, unsupportedParameter, validationError } from '../errors/catalogue.js';
import type { GatewayError } from '../errors/gateway-error.js';
import { metadataOf, readRules } from './input.decorators.js';

type Raw = Readonly<Record<string, unknown>>;

export interface InputOptions {
  readonly source: 'body' | 'query';
  /** Under /v1 unknown parameters are ignored and violations are `invalid_value`. */
  readonly edge?: 'operators' | 'v1';
}

/** Stands for the first member that the class does not name: class-validator overlooks names like `hasOwnProperty`. */
const UNKNOWN = '(unknown)';

/**
 * Nest's ValidationPipe for the input of operators: makes an instance of `Dto` of it and validates that.
 * The first violation in the order of the class is refused with its `param` (D16): first single fields, then an unknown
 * member, then rules over several fields.
 */
export class InputPipe<T extends object = object> extends ValidationPipe {
  private readonly known: ReadonlySet<string>;

  constructor(
    Dto: new () => T,
    private readonly options: InputOptions,
  ) {
    super({
      ...{ expectedType: Dto, validateCustomDecorators: true, transform: true },
      ...{ whitelist: true, forbidNonWhitelisted: true, stopAtFirstError: true },
      exceptionFactory: (errors) => refusalOf(errors, Dto, options),
    });
    this.known = new Set(metadataOf(Dto).map(({ propertyName }) => propertyName));
    if (this.known.size === 0) throw new Error(`${Dto.name} has no decorated field`);
  }

  /** @throws GatewayError `validation_error` (/v1: `invalid_value`) */
  override transform(raw: Raw): Promise<T> {
    return super.transform(this.flat(raw), { type: 'custom' }) as Promise<T>;
  }

  /**
   * A member is a value or a list of values; of anything deeper only its type is kept, since class-transformer would recurse
   * into it and overflow the stack. `raw` stays as it is.
   */
  private flat(raw: Raw): Raw {
    const members: Record<string, unknown> = {};
    for (const [name, value] of Object.entries(raw))
      if (this.known.has(name)) members[name] = Array.isArray(value) ? value.map(emptied) : emptied(value);
      else if (this.options.edge !== 'v1') members[UNKNOWN] ??= name;
    return members;
  }
}

const emptied = (value: unknown): unknown =>
  typeof value !== 'object' || value === null ? value : Array.isArray(value) ? [] : {};

/** The exception factory: the one violation that the client gets. */
function refusalOf(errors: ValidationError[], Dto: Function, { source, edge }: InputOptions): GatewayError {
  const [first] = errors.toSorted((a, b) => rankOf(a) - rankOf(b));
  if (first === undefined) throw new Error(`${Dto.name} has no violation`);
  const violation = source === 'query' ? inQuery(first) : inBody(first, Dto);
  return edge === 'v1' ? violation : validationError(paramOf(first), violation.message);
}

const isUnknown = ({ property, constraints = {} }: ValidationError): boolean =>
  property === UNKNOWN && 'whitelistValidation' in constraints;
const paramOf = (error: ValidationError): string => (isUnknown(error) ? String(error.value) : error.property);
const wordsOf = ({ constraints = {} }: ValidationError): string => Object.values(constraints)[0] ?? 'valid';

const rankOf = (error: ValidationError): number => (error.contexts !== undefined ? 2 : isUnknown(error) ? 1 : 0);

function inBody(error: ValidationError, Dto: Function): GatewayError {
  const { property, contexts } = error;
  const value: unknown = error.value;
  if (isUnknown(error)) return unsupportedParameter(paramOf(error));
  if (value === undefined) return missingRequiredParameter(property);
  const field =
    contexts === undefined ? readRules(Dto, property).kind.check(value, property, { lenient: false }) : null;
  return field ?? invalidValue(property, wordsOf(error));
}

function inQuery(error: ValidationError): GatewayError {
  if (isUnknown(error)) return unsupportedParameter(paramOf(error));
  return invalidValue(error.property, Array.isArray(error.value) ? 'given once' : wordsOf(error));
}
