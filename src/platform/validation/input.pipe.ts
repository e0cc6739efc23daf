import { ValidationPipe } from '@nestjs/common';
import type { ValidationError } from 'class-validator';
import {
  invalidValue,
  missingRequiredParameter,
  unsupportedParameter,
  validationError,
} from '../errors/error-factories.js';
import type { GatewayError } from '../errors/gateway-error.js';
import { metadataOf, readRules } from './input.decorators.js';

type Raw = Readonly<Record<string, unknown>>;

export interface InputOptions {
  readonly source: 'body' | 'query';
  /** Under /v1, unknown parameters are ignored and violations are `invalid_value`. */
  readonly edge?: 'operators' | 'v1';
}

/** Replaces the name of the first unknown field, because class-validator overlooks names like `hasOwnProperty`. */
const UNKNOWN = '(unknown)';

/**
 * Converts operator input to a valid instance of `Dto`. It reports one violation with its `param` (D16). Violations of single
 * fields come first, in the order of the class. Then follow unknown fields, and rules about several fields.
 */
export class InputPipe<T extends object = object> extends ValidationPipe {
  /** The number of items to read from each known field. One item above the limit shows that a list is too long. */
  private readonly itemsRead: ReadonlyMap<string, number>;

  constructor(
    Dto: new () => T,
    private readonly options: InputOptions,
  ) {
    super({
      expectedType: Dto,
      validateCustomDecorators: true,
      transform: true,
      whitelist: true,
      forbidNonWhitelisted: true,
      stopAtFirstError: true,
      exceptionFactory: (errors) => refusalOf(errors, Dto, options),
    });
    this.itemsRead = itemsReadOf(Dto);
  }

  /** @throws GatewayError `validation_error` (/v1: `invalid_value`) */
  override transform(raw: Raw): Promise<T> {
    return super.transform(this.flattened(raw), { type: 'custom' }) as Promise<T>;
  }

  /**
   * Empties values below the first level, because class-transformer recurses and would overflow the stack. Long lists are
   * truncated, because a million items would take two seconds.
   */
  private flattened(raw: Raw): Raw {
    const fields: Record<string, unknown> = {};
    for (const [name, value] of Object.entries(raw)) {
      const items = this.itemsRead.get(name);
      if (items !== undefined)
        fields[name] = Array.isArray(value) ? value.slice(0, items).map(emptied) : emptied(value);
      else if (this.options.edge !== 'v1') fields[UNKNOWN] ??= name;
    }
    return fields;
  }
}

function itemsReadOf(Dto: Function): ReadonlyMap<string, number> {
  const all = metadataOf(Dto);
  if (all.length === 0) throw new Error(`${Dto.name} has no decorated field`);
  const items = new Map(all.map(({ propertyName }) => [propertyName, 0]));
  for (const { name, propertyName, constraints } of all)
    if (name === 'arrayMaxSize') items.set(propertyName, Number(constraints[0]) + 1);
  const unbounded = all.find(({ name, propertyName }) => name === 'isArray' && items.get(propertyName) === 0);
  if (unbounded !== undefined) throw new Error(`${Dto.name}.${unbounded.propertyName} needs @ArrayMaxSize`);
  return items;
}

const emptied = (value: unknown): unknown =>
  typeof value !== 'object' || value === null ? value : Array.isArray(value) ? [] : {};

function refusalOf(errors: ValidationError[], Dto: Function, { source, edge }: InputOptions): GatewayError {
  const [first] = errors.toSorted((a, b) => rankOf(a) - rankOf(b));
  if (first === undefined) throw new Error(`${Dto.name} has no violation`);
  const violation = source === 'query' ? inQuery(first) : inBody(first, Dto);
  return edge === 'v1' ? violation : validationError(paramOf(first), violation.message);
}

const isUnknown = ({ property, constraints = {} }: ValidationError): boolean =>
  property === UNKNOWN && 'whitelistValidation' in constraints;
const paramOf = (error: ValidationError): string => (isUnknown(error) ? String(error.value) : error.property);
const messageOf = ({ constraints = {} }: ValidationError): string => Object.values(constraints)[0] ?? 'valid';

const rankOf = (error: ValidationError): number => (error.contexts !== undefined ? 2 : isUnknown(error) ? 1 : 0);

function inBody(error: ValidationError, Dto: Function): GatewayError {
  const { property, contexts } = error;
  const value: unknown = error.value;
  if (isUnknown(error)) return unsupportedParameter(paramOf(error));
  if (value === undefined) return missingRequiredParameter(property);
  const field =
    contexts === undefined ? readRules(Dto, property).kind.check(value, property, { lenient: false }) : null;
  return field ?? invalidValue(property, messageOf(error));
}

function inQuery(error: ValidationError): GatewayError {
  if (isUnknown(error)) return unsupportedParameter(paramOf(error));
  return invalidValue(error.property, Array.isArray(error.value) ? 'specified only once' : messageOf(error));
}
