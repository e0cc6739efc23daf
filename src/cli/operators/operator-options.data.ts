import type { InputOption } from '../input-options.js';

/** The fields of `POST /admin/operators`, but for the password: what is typed there stands in every list of processes. */
export const CREATE_OPTIONS: readonly InputOption[] = [
  { flags: '--email <email>', field: 'email', description: 'what they sign in with (mandatory)' },
  { flags: '--name <name>', field: 'name', description: 'what others see (mandatory)' },
  { flags: '--role <role>', field: 'role', description: 'viewer, admin or owner (mandatory)' },
];
