import type { SettingKind } from './setting-kinds.js';

/** In nano-dollars per million tokens. */
export interface TokenPrices {
  readonly input: number;
  readonly output: number;
}

/** Six digits before the point, so that prices in nano-dollars are exact numbers. */
const DOLLARS = /(0|[1-9]\d{0,5})(?:\.(\d{1,6}))?/.source;
const PAIR = new RegExp(`^${DOLLARS}/${DOLLARS}$`);

export const tokenPrices = (): SettingKind<TokenPrices> => ({
  allowed: 'two prices in dollars per million tokens, for input and output: `3/15` or `0.25/1.25`',
  schema: { type: 'string', pattern: PAIR.source },
  parse: (value) => {
    const parts = PAIR.exec(value);
    if (parts === null) return undefined;
    const [, input = '', inputFraction = '', output = '', outputFraction = ''] = parts;
    return { input: nanosOf(input, inputFraction), output: nanosOf(output, outputFraction) };
  },
});

const nanosOf = (whole: string, fraction: string): number => Number(whole + fraction.padEnd(9, '0'));
