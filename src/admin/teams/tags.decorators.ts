import { applyDecorators } from '@nestjs/common';
import { ArrayMaxSize, IsArray, IsString, Matches } from 'class-validator';
import { TAG, TAG_EXPECTED, TAGS_MAX } from '../../keys/teams/tag.rules.js';
import { ApiField, CanBeAbsent } from '../../platform/validation/input.decorators.js';
import { QueryText } from '../../platform/validation/query-fields.js';

export const TAGS_EXAMPLE = { example: ['production', 'region:eu'] };

export const Tags = (description: string): PropertyDecorator =>
  applyDecorators(
    CanBeAbsent(),
    IsArray(),
    ArrayMaxSize(TAGS_MAX),
    IsString({ each: true }),
    Matches(TAG, { each: true, message: TAG_EXPECTED }),
    ApiField({ ...TAGS_EXAMPLE, description }),
  );

export const QueryTag = (description: string): PropertyDecorator =>
  QueryText({ pattern: TAG, expected: TAG_EXPECTED, description });
