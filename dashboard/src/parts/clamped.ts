/** Limits text in a table cell to two lines, with the full text on hover. */
export const clamped = (text: string) => ({ lineClamp: 2, title: text, style: { overflowWrap: 'anywhere' } }) as const;
