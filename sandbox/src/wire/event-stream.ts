export function dataEvent(value: unknown): string {
  return `data: ${JSON.stringify(value)}\n\n`;
}

export function namedEvent(name: string, value: unknown): string {
  return `event: ${name}\n${dataEvent(value)}`;
}

export const DONE_EVENT = 'data: [DONE]\n\n';
