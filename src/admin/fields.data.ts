/** The API description of fields that many responses have. */

export const TIME = { type: 'string', format: 'date-time', example: '2026-07-14T09:30:42.118Z' } as const;
export const DAY = { type: String, format: 'date', example: '2026-07-31' } as const;
export const COUNT = { type: 'integer', minimum: 0 } as const;
export const CURRENCY = { enum: ['USD'] } as const;
/** An exact decimal number. */
export const DOLLARS = { type: String, pattern: '^[0-9]+(\\.[0-9]+)?$' } as const;
export const KEY_ID = { format: 'uuid', example: '6f1c2f0e-3c0a-4c55-9d43-1f2b7c9a8e10' } as const;
