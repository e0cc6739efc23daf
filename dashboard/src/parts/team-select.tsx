import { Select, type SelectProps } from '@mantine/core';
import { useTeamChoice } from './team-queries';

interface Props extends Omit<SelectProps, 'data' | 'value' | 'onChange'> {
  /** A team ID. null means all teams, or that no team is chosen yet. */
  readonly value?: string | null;
  readonly onChange: (id: string | null) => void;
}

/** Shows an unknown ID as it is. */
export function TeamSelect({ value = null, placeholder = 'All teams', ...props }: Props) {
  const teams = useTeamChoice();
  const listed = (teams.data ?? []).map(({ id, name }) => ({ value: id, label: name }));
  const known = value === null || listed.some((team) => team.value === value);
  return (
    <Select
      label="Team"
      maw="100%"
      searchable
      clearable
      clearButtonProps={{ 'aria-label': placeholder }}
      nothingFoundMessage={teams.isError ? 'The teams could not be loaded.' : 'No team has this text in its name.'}
      {...props}
      placeholder={placeholder}
      data={known ? listed : [{ value, label: value }, ...listed]}
      value={value}
    />
  );
}
