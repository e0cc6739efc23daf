import type { Operator } from './operator.js';

type Account = Pick<Operator, 'role' | 'disabled'>;

const isActingOwner = ({ role, disabled }: Account): boolean => role === 'owner' && !disabled;

/** Whether a change takes an owner away, who must not be the last (D17). @param after null: it is deleted */
export const losesOwner = (before: Account, after: Account | null): boolean =>
  isActingOwner(before) && !(after !== null && isActingOwner(after));
