import { Param, type PipeTransform } from '@nestjs/common';
import { ApiParam } from '@nestjs/swagger';
import { notFound } from '../platform/errors/error-factories.js';
import { UUID } from '../platform/validation/characters.js';

/** Text that is not a positive integer gets 404 `not_found`, like an unknown ID (D16). */
export class IntegerIdPipe implements PipeTransform<string, number> {
  constructor(private readonly message: string) {}

  transform(text: string): number {
    const id = /^[1-9]\d{0,15}$/.test(text) ? Number(text) : NaN;
    if (!Number.isSafeInteger(id)) throw notFound(this.message);
    return id;
  }
}

const IntegerParam =
  (name: string, message: string): ParameterDecorator =>
  (target, method, index) => {
    Param(name, new IntegerIdPipe(message))(target, method, index);
    const handler = Object.getOwnPropertyDescriptor(target, method!)!;
    ApiParam({ name, schema: { type: 'integer', minimum: 1 } })(target, method!, handler);
  };

export const LimitId = (): ParameterDecorator => IntegerParam('id', 'Limit not found');
export const TopUpId = (): ParameterDecorator => IntegerParam('top_up_id', 'Top-up not found');

/** Converts an ID in a path to lower case, as stored. Text that is not a UUID gets 404 `not_found`, like an unknown ID (D16). */
export class UuidPipe implements PipeTransform<string, string> {
  constructor(private readonly message: string) {}

  transform(id: string): string {
    if (!UUID.test(id)) throw notFound(this.message);
    return id.toLowerCase();
  }
}

export const KeyId = (): ParameterDecorator => Param('id', new UuidPipe('API key not found'));

export const UNKNOWN_KEY = 'no key has this ID.';
