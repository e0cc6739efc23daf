import type { components } from '../../api/schema';

export type Team = components['schemas']['TeamResponse'];
export type TeamSettings = Pick<Team, 'name' | 'tags'>;
