/*
 * Queries of key IDs. Costs are stored by key, so those of a team or a tag are the costs of the keys that belong to it now.
 */

/** @param team the parameter of its ID */
export const keysOfTeam = (team: string): string => `select k.id from api_keys k where k.team_id = ${team}::uuid`;

/** Keys that have the tag, or whose team has it. @param tag the parameter of the tag */
export const keysWithTag = (tag: string): string =>
  `select k.id from api_keys k left join teams t on t.id = k.team_id where array[${tag}::text] <@ k.tags or array[${tag}::text] <@ t.tags`;
