import type { components } from '../../api/schema';

export type Operator = components['schemas']['OperatorResponse'];
export type Role = Operator['role'];
