import type { PipeTransform } from '@nestjs/common';
import { notFound } from '../errors/catalogue.js';
import { UUID } from './uuid.rules.js';

/**
 * A path id, in lower case, as it is stored and as the audit log is searched. One that is no UUID is nobody's, so it is 404
 * `not_found` like any unknown one (D16).
 */
export class UuidPipe implements PipeTransform<string, string> {
  /** @param message of the 404, e.g. `API key not found` */
  constructor(private readonly message: string) {}

  transform(id: string): string {
    if (!UUID.test(id)) throw notFound(this.message);
    return id.toLowerCase();
  }
}
