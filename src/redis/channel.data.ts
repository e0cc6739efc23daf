/** Where it is told over Redis what has changed; a message is the id of the row, or nothing. */
export const CHANNEL_OF = {
  key: 'gw:changed:key',
  policy: 'gw:changed:policy',
  catalog: 'gw:changed:catalog',
} as const;
