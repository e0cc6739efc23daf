/** The three headers that tell of a window. */
export interface WindowNames {
  readonly limit: string;
  readonly remaining: string;
  readonly reset: string;
}

// Made once: of a name that is put together anew for each answer, Node looks at every character anew.
const namesFor = (window: string): WindowNames => ({
  limit: `x-ratelimit-limit-${window}`,
  remaining: `x-ratelimit-remaining-${window}`,
  reset: `x-ratelimit-reset-${window}`,
});
export const MINUTE = namesFor('requests');
export const DAY = namesFor('day');
export const MONTH = namesFor('month');
export const TOKENS = namesFor('tokens');
