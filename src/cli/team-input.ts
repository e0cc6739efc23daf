import type { ModuleRef } from '@nestjs/core';
import { validationError } from '../platform/errors/error-factories.js';
import { TeamsService } from '../keys/teams/teams.service.js';
import { type InputOption, wrongInput } from './input-options.js';

interface TeamInput {
  /** A name or an ID as typed. null removes the team, and undefined does not change it. */
  readonly team: string | null | undefined;
  /** The other fields. `--tag none` is an empty list, because the Admin API has no null for tags. */
  readonly others: Record<string, unknown>;
}

/** Separates the team from the other fields, because its ID must be read from the database. */
export function teamInputOf({ team_id: team, ...others }: Readonly<Record<string, unknown>>): TeamInput {
  return { team: team as TeamInput['team'], others: others['tags'] === null ? { ...others, tags: [] } : others };
}

/** @throws CliError `validation_error`, as for an unknown ID in the Admin API */
export async function teamIdOf(
  services: ModuleRef,
  team: TeamInput['team'],
  options: readonly InputOption[],
): Promise<TeamInput['team']> {
  if (typeof team !== 'string') return team;
  const found = await teamsOf(services).find(team);
  if (found === null) throw wrongInput(options, validationError('team_id', UNKNOWN_TEAM));
  return found.id;
}

export const teamNameOf = async (services: ModuleRef, id: string | null): Promise<string | null> =>
  id === null ? null : (await teamsOf(services).get(id)).name;

export const teamsOf = (services: ModuleRef): TeamsService => services.get(TeamsService, { strict: false });

export const UNKNOWN_TEAM = 'Team not found. Use the name or the ID that "team list" shows.';
