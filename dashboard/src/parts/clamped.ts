/** For a text of any length in a table: two lines of it, the whole on hover; it breaks anywhere, so that it pushes no column out. */
export const clamped = (text: string) => ({ lineClamp: 2, title: text, style: { overflowWrap: 'anywhere' } }) as const;
