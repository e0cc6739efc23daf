import { ApiProperty } from '@nestjs/swagger';
import { applyDecorators } from '@nestjs/common';
import { Matches } from 'class-validator';
import type { CountedTeam, TeamListQuery } from '../../keys/teams/teams.service.js';
import { Page, pageOf, PageRequest } from '../page.dto.js';
import { TAGS_EXAMPLE, QueryTag, Tags } from './tags.decorators.js';
import { LINE, lineExpected } from '../../platform/validation/characters.js';
import { ApiField, CanBeAbsent, IsStoredText } from '../../platform/validation/input.decorators.js';
import { QueryText } from '../../platform/validation/query-fields.js';
import { TIME } from '../fields.data.js';

const NAME_LENGTH_MAX = 255;
const Name = (): PropertyDecorator =>
  applyDecorators(
    IsStoredText(NAME_LENGTH_MAX),
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

export const TEAM_ID = { format: 'uuid', example: '3d2f8a54-9f0b-4c1e-8a6d-5e7b1c0d9f23' } as const;

export class TeamResponse {
  @ApiProperty(TEAM_ID)
  id: string;

  @ApiProperty({ example: 'Checkout' })
  name: string;

  @ApiProperty({ type: [String], ...TAGS_EXAMPLE })
  tags: string[];

  @ApiProperty({ type: 'integer', minimum: 0, example: 3, description: 'Number of keys, including revoked ones.' })
  keys: number;

  @ApiProperty(TIME)
  created_at: Date;

  @ApiProperty(TIME)
  updated_at: Date;

  static of({ id, name, tags, keys, createdAt, updatedAt }: CountedTeam): TeamResponse {
    return { id, name, tags, keys, created_at: createdAt, updated_at: updatedAt };
  }
}

export class TeamListResponse extends Page {
  @ApiProperty({ type: [TeamResponse] })
  teams: TeamResponse[];

  static of({ total, teams }: { total: number; teams: CountedTeam[] }, offset: number): TeamListResponse {
    const rows = teams.map((team) => TeamResponse.of(team));
    return { ...pageOf(total, offset, rows.length), teams: rows };
  }
}
