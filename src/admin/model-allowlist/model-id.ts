import { applyDecorators, type PipeTransform } from '@nestjs/common';
import { IsString, Matches, type ValidationOptions } from 'class-validator';
import { notFound } from '../../errors/error-factories.js';
import { HasLength, IsStorable } from '../../validation/input.decorators.js';
import { isModelName, MODEL_CHARACTERS_MAX } from '../../validation/model-name.rules.js';

/** Rejects wildcards, because they would not match any model. */
export const IsExactModelId = (options: ValidationOptions = {}): PropertyDecorator =>
  applyDecorators(
    IsString(options),
    HasLength(1, MODEL_CHARACTERS_MAX, options),
    Matches(/^[^*]*$/, { ...options, message: 'an exact model ID without wildcards' }),
    IsStorable(options),
  );

/** A model ID in a path, which can contain slashes. An impossible ID gets 404 `not_found`, like an unknown ID (D8). */
export class ModelIdPipe implements PipeTransform<string, string> {
  constructor(
    private readonly message: string,
    private readonly suffix = '',
  ) {}

  transform(rest: string): string {
    const id = rest.slice(0, rest.length - this.suffix.length);
    // PostgreSQL rejects U+0000.
    if (id === '' || !isModelName(id) || id.includes('\0')) throw notFound(this.message);
    return id;
  }
}
