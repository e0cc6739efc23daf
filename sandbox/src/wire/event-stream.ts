/** One server-sent event without a name, as the vendor's chat streams carry them. */
export function dataEvent(value: unknown): string {
  return `data: ${JSON.stringify(value)}\n\n`;
}

/** One with a name, as the answers have it whose events differ in kind. */
export function namedEvent(name: string, value: unknown): string {
  return `event: ${name}\n${dataEvent(value)}`;
}

export const DONE_EVENT = 'data: [DONE]\n\n';
