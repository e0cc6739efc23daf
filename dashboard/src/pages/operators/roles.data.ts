import type { Role } from './operator-types';

/** What each role may do (D33), the least first. */
export const ROLES: readonly { readonly role: Role; readonly label: string; readonly may: string }[] = [
  {
    role: 'viewer',
    label: 'Viewer',
    may: 'Sees everything but operators; changes nothing but own password, sessions and read marks.',
  },
  {
    role: 'admin',
    label: 'Admin',
    may: 'Sees everything but operators; changes keys, models and webhooks, and runs jobs.',
  },
  { role: 'owner', label: 'Owner', may: 'Does everything, operators and everybody’s sessions included.' },
];
