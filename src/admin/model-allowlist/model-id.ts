import { applyDecorators, type PipeTransform } from '@nestjs/common';
import { IsString, Matches, type ValidationOptions } from 'class-validator';
import { notFound } from '../../errors/catalogue.js';
import { HasLength, IsStorable } from '../../validation/input.decorators.js';
import { isModelName, MODEL_CHARACTERS_MAX } from '../../validation/model-name.rules.js';

/** A model as a key or a policy may name it. A wildcard would match nothing, though it looks as if it did. */
export const IsExactModelId = (options: ValidationOptions = {}): PropertyDecorator =>
  applyDecorators(
    IsString(options),
    HasLength(1, MODEL_CHARACTERS_MAX, options),
    Matches(/^[^*]*$/, { ...options, message: 'an exact model id, without wildcards' }),
    IsStorable(options),
  );

/** A model id in a path, slashes included: one that no model can have is 404 `not_found` like any unknown one (D8). */
export class ModelIdPipe implements PipeTransform<string, string> {
  /** @param suffix the end of the route's path after the id, e.g. `/probe` */
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
