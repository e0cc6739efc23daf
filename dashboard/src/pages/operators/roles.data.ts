import type { Role } from './operator-types';

/** The lowest role comes first (D33). */
export const ROLES: readonly { readonly role: Role; readonly label: string; readonly may: string }[] = [
  {
    role: 'viewer',
    label: 'Viewer',
    may: 'Can view everything except operators. Can change only their own password, sessions and read marks.',
  },
  {
    role: 'admin',
    label: 'Admin',
    may: 'Can view everything except operators. Can change keys, teams, limits, models and webhooks, and run jobs.',
  },
  { role: 'owner', label: 'Owner', may: 'Can do everything, including managing operators and ending any session.' },
];
