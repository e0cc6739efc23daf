import { applyDecorators } from '@nestjs/common';
import { IsString, Matches } from 'class-validator';
import type { TeamListQuery } from '../../teams/teams.service.js';
import { LINE, lineExpected } from '../../validation/characters.js';
import { ApiField, CanBeAbsent, HasLength, IsStorable } from '../../validation/input.decorators.js';
import { QueryText } from '../../validation/query-fields.js';
import { PageRequest } from '../page.dto.js';
import { QueryTag, Tags } from './tags.decorators.js';

const NAME_LENGTH_MAX = 255;
const Name = (): PropertyDecorator =>
  applyDecorators(
    IsString(),
    HasLength(1, NAME_LENGTH_MAX),
    IsStorable(),
    Matches(LINE, { message: lineExpected(NAME_LENGTH_MAX) }),
    ApiField({ example: 'Checkout', description: 'Must be unique. Letter case is ignored.' }),
  );
const TAGS = 'All keys of the team have these tags too. Duplicates are removed.';

export class CreateTeamRequest {
  @Name()
  name: string;

  @Tags(TAGS)
  tags?: string[];
}

export class UpdateTeamRequest {
  @Name()
  @CanBeAbsent()
  name?: string;

  @Tags(TAGS)
  tags?: string[];
}

export class ListTeamsRequest extends PageRequest {
  @QueryText({ max: NAME_LENGTH_MAX, description: 'Part of the name. Letter case is ignored.' })
  name?: string;

  @QueryTag('Only teams with this tag.')
  tag?: string;
}

export function teamListQueryOf(query: ListTeamsRequest): TeamListQuery {
  const { name = null, tag = null, limit, offset } = query;
  return { name, tag, limit, offset };
}
