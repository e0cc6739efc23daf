/** Props for text of any length in a table cell: at most two lines, with the full text on hover. */
export const clamped = (text: string) => ({ lineClamp: 2, title: text, style: { overflowWrap: 'anywhere' } }) as const;
