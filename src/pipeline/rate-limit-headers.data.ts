export interface WindowNames {
  readonly limit: string;
  readonly remaining: string;
  readonly reset: string;
}

// Created once, because Node checks every character of a header name that is a new string.
const namesFor = (window: string): WindowNames => ({
  limit: `x-ratelimit-limit-${window}`,
  remaining: `x-ratelimit-remaining-${window}`,
  reset: `x-ratelimit-reset-${window}`,
});
export const MINUTE = namesFor('requests');
export const DAY = namesFor('day');
export const MONTH = namesFor('month');
export const TOKENS = namesFor('tokens');
