const amountWith = (decimalsMax: number) => ({
  oneOf: [
    { type: 'string' as const, pattern: `^\\d+(\\.\\d{1,${decimalsMax}})?$` },
    { type: 'integer' as const, minimum: 0 },
  ],
});

/** Dollars as a decimal string for the measure `cost`, otherwise an integer. */
export const AMOUNT = amountWith(9);
/** Operators set micro-dollars at most, but usage is counted in nano-dollars. */
export const INPUT_AMOUNT = amountWith(6);
export const LIMIT_ID = { type: 'integer', minimum: 1, example: 7 } as const;
export const TEXT_OR_NULL = { type: String, nullable: true } as const;
export const UUID_OR_NULL = { ...TEXT_OR_NULL, format: 'uuid' } as const;
