import { Param, type PipeTransform } from '@nestjs/common';
import { ApiParam, type ApiParamOptions } from '@nestjs/swagger';
import { notFound } from '../platform/errors/error-factories.js';
import { UUID } from '../platform/validation/characters.js';

/** Text that is not a positive integer returns 404 `not_found`, like an unknown ID (D16). */
export class IntegerIdPipe implements PipeTransform<string, number> {
  constructor(private readonly message: string) {}

  transform(text: string): number {
    const id = /^[1-9]\d{0,15}$/.test(text) ? Number(text) : NaN;
    if (!Number.isSafeInteger(id)) throw notFound(this.message);
    return id;
  }
}

type ParamSchema = Extract<ApiParamOptions, { schema: unknown }>['schema'];

/** A path parameter with a schema for the API description, which Nest cannot derive from the code. */
export const PathParam =
  (name: string, schema: ParamSchema, ...pipes: PipeTransform[]): ParameterDecorator =>
  (target, method, index) => {
    Param(name, ...pipes)(target, method, index);
    ApiParam({ name, schema })(target, method!, Object.getOwnPropertyDescriptor(target, method!)!);
  };

const INTEGER = { type: 'integer', minimum: 1 } as const;

export const LimitId = () => PathParam('id', INTEGER, new IntegerIdPipe('Limit not found'));
export const TopUpId = () => PathParam('top_up_id', INTEGER, new IntegerIdPipe('Top-up not found'));

/** Converts an ID in a path to lower case, as stored. Text that is not a UUID returns 404 `not_found`, like an unknown ID (D16). */
export class UuidPipe implements PipeTransform<string, string> {
  constructor(private readonly message: string) {}

  transform(id: string): string {
    if (!UUID.test(id)) throw notFound(this.message);
    return id.toLowerCase();
  }
}

export const KeyId = (): ParameterDecorator => Param('id', new UuidPipe('API key not found'));

export const UNKNOWN_KEY = 'no key has this ID.';
