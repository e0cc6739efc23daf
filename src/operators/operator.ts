import type { Role } from './roles.rules.js';

/** A person who runs the gateway, without the hash of the password. */
export interface Operator {
  readonly id: string;
  /** As it was given; no two differ in letter case only. */
  readonly email: string;
  readonly name: string;
  readonly role: Role;
  /** Kept, but may not sign in. */
  readonly disabled: boolean;
  readonly lastLoginAt: Date | null;
  readonly createdAt: Date;
}
