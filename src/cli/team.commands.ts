import type { ModuleRef } from '@nestjs/core';
import {
  CreateTeamRequest,
  ListTeamsRequest,
  teamListQueryOf,
  UpdateTeamRequest,
  TeamListResponse,
  TeamResponse,
} from '../admin/teams/team.dto.js';
import { notFound } from '../platform/errors/error-factories.js';
import { SYSTEM_ACTOR } from '../platform/request-context/caller-session.js';
import { TeamsModule } from '../keys/teams/teams.module.js';
import type { CountedTeam, TeamsService } from '../keys/teams/teams.service.js';
import { withAdvice } from './cli-error.js';
import { withApplication } from './application.js';
import { checkBody, readQuery } from './input-options.js';
import type { Invocation, Result } from './command.js';
import { TEAM_CREATE_OPTIONS, TEAM_LIST_OPTIONS, TEAM_UPDATE_OPTIONS } from './options.data.js';
import { teamInputOf, teamsOf, UNKNOWN_TEAM } from './team-input.js';
import { pageText, printable, textList, timeText } from './text-table.js';

type Input = Record<string, unknown>;

const HEAD = ['ID', 'NAME', 'KEYS', 'TAGS', 'CREATED'];
const NONE = 'No teams found.';
const DELETE_ADVICE = { "change their 'team_id'": 'run "key update <id> --team <team>" for each key' };

export async function listTeams(call: Invocation, input: Input): Promise<Result> {
  const query = await readQuery(ListTeamsRequest, input, TEAM_LIST_OPTIONS);
  return withTeams(call, false, async (teams) => {
    const { offset } = query;
    const document = TeamListResponse.of(await teams.list(teamListQueryOf(query)), offset);
    const text = pageText(HEAD, document.teams.map(cellsOf), { offset, total: document.total, none: NONE });
    return { document, text };
  });
}

export async function createTeam(call: Invocation, input: Input): Promise<Result> {
  const body = await checkBody(CreateTeamRequest, teamInputOf(input).others, TEAM_CREATE_OPTIONS);
  return withTeams(call, true, async (teams) => {
    const document = TeamResponse.of(await teams.create({ name: body.name, tags: body.tags ?? [] }, SYSTEM_ACTOR));
    return { document, text: `Created team "${printable(document.name)}".\n${factsText(document)}` };
  });
}

export async function updateTeam(call: Invocation, typed: string, input: Input): Promise<Result> {
  const body = await checkBody(UpdateTeamRequest, teamInputOf(input).others, TEAM_UPDATE_OPTIONS);
  return withTeams(call, true, async (teams) => {
    const { id } = await existing(teams, typed);
    const document = TeamResponse.of(await teams.update(id, body, SYSTEM_ACTOR));
    return { document, text: `Updated team "${printable(document.name)}".\n${factsText(document)}` };
  });
}

export function deleteTeam(call: Invocation, typed: string): Promise<Result> {
  return withTeams(call, true, async (teams) => {
    const { id, name } = await existing(teams, typed);
    await withAdvice(DELETE_ADVICE, () => teams.delete(id, SYSTEM_ACTOR));
    return { document: { id, deleted: true }, text: `Deleted team "${printable(name)}" (${id}) and its limits.\n` };
  });
}

const withTeams = (
  call: Invocation,
  writes: boolean,
  work: (teams: TeamsService) => Promise<Result>,
): Promise<Result> =>
  withApplication(call, { module: TeamsModule, writes }, (services: ModuleRef) => work(teamsOf(services)));

/** @param typed a name or an ID. @throws GatewayError `not_found` */
async function existing(teams: TeamsService, typed: string): Promise<CountedTeam> {
  const team = await teams.find(typed);
  if (team === null) throw notFound(UNKNOWN_TEAM);
  return team;
}

const tagsText = (tags: readonly string[], none: string): string => tags.join(', ') || none;

const factsText = ({ id, tags, keys }: TeamResponse): string =>
  textList([
    ['id', id],
    ['keys', String(keys)],
    ['tags', tagsText(tags, 'none')],
  ]);

const cellsOf = ({ id, name, keys, tags, created_at: createdAt }: TeamResponse): string[] => [
  id,
  name,
  String(keys),
  tagsText(tags, '-'),
  timeText(createdAt),
];
