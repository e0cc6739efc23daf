/**
 * Up to here the total of a list over a log is exact, and so far its pages reach (D17): counting on would read the whole log.
 * A statement counts one row more, which stands for any number above it.
 */
export const COUNTED_MAX = 100_000;
