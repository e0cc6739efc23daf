import { Param, type PipeTransform } from '@nestjs/common';
import { notFound } from '../errors/catalogue.js';
import { UUID } from '../validation/input.decorators.js';

/**
 * An ID in a path, in lower case, as it is stored and as the audit log is searched. A text that is not a UUID is 404
 * `not_found`, like any unknown ID (D16).
 */
export class UuidPipe implements PipeTransform<string, string> {
  /** @param message of the 404, e.g. `API key not found` */
  constructor(private readonly message: string) {}

  transform(id: string): string {
    if (!UUID.test(id)) throw notFound(this.message);
    return id.toLowerCase();
  }
}

/** The key that a path names. */
export const KeyId = (): ParameterDecorator => Param('id', new UuidPipe('API key not found'));

/** For the API description: when a call that names a key is 404. */
export const UNKNOWN_KEY = 'no key has this id';
