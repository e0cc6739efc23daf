import type { components } from '../../api/schema';

export type Session = components['schemas']['SessionResponse'];
