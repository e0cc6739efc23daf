import type { components, operations } from '../../api/schema';

type Schemas = components['schemas'];
export type Limit = Schemas['LimitResponse'];
export type LimitScope = Limit['scope'];
export type LimitMeasure = Limit['measure'];
export type LimitPeriod = NonNullable<Limit['period']>;
export type LimitMode = Limit['mode'];
export type LimitReserve = Limit['reserve'];
/** Dollars as a decimal string, or a number of requests or tokens. */
export type LimitAmount = Limit['amount'];
type Created = Schemas['CreateLimitRequest'];
/** The generated types wrongly require fields that have a default. */
export type LimitDraft = Partial<Created> & Pick<Created, 'scope' | 'measure' | 'amount'>;
export type LimitChanges = Partial<Schemas['UpdateLimitRequest']>;
export type LimitSimulation = LimitDraft & Pick<Schemas['SimulateLimitRequest'], 'since' | 'until'>;
export type Simulated = Schemas['SimulationResponse'];
export type LimitAlert = Schemas['LimitAlertResponse'];
export type TopUp = Schemas['TopUpResponse'];
export type NewTopUp = Schemas['CreateTopUpRequest'];
export type LimitListQuery = NonNullable<operations['limitsList']['parameters']['query']>;
