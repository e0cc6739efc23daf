import type { PipeTransform } from '@nestjs/common';
import { notFound } from '../../errors/catalogue.js';
import { isModelName } from '../../validation/model-name.rules.js';

/** A model id in a path, slashes and all: one that no model can have is 404 `not_found` like any unknown one (D8). */
export class ModelIdPipe implements PipeTransform<string, string> {
  /** @param suffix what the route's path has after the id, e.g. `/probe` */
  constructor(
    private readonly message: string,
    private readonly suffix = '',
  ) {}

  transform(rest: string): string {
    const id = rest.slice(0, rest.length - this.suffix.length);
    // U+0000 would fail in the database.
    if (id === '' || !isModelName(id) || id.includes('\0')) throw notFound(this.message);
    return id;
  }
}
