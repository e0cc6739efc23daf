import { Param, type PipeTransform } from '@nestjs/common';
import { notFound } from '../errors/catalogue.js';
import { UUID } from '../validation/input.decorators.js';

/**
 * Converts an ID in a path to lower case, as it is stored. A text that is not a UUID is 404 `not_found`, like an unknown ID
 * (D16).
 */
export class UuidPipe implements PipeTransform<string, string> {
  /** @param message of the 404 response, such as `API key not found` */
  constructor(private readonly message: string) {}

  transform(id: string): string {
    if (!UUID.test(id)) throw notFound(this.message);
    return id.toLowerCase();
  }
}

export const KeyId = (): ParameterDecorator => Param('id', new UuidPipe('API key not found'));

/** Describes the 404 response of routes with a key ID. */
export const UNKNOWN_KEY = 'no key has this ID.';
