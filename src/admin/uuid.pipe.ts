import { Param, type PipeTransform } from '@nestjs/common';
import { notFound } from '../errors/error-factories.js';
import { UUID } from '../validation/input.decorators.js';

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
