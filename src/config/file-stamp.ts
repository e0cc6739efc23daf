import type { Stats } from 'node:fs';

/** Identifies the state of a file without reading it. A swapped symlink, new content and a touched file all change it. */
export const fileStamp = ({ ino, size, mtimeMs, ctimeMs }: Stats): string => [ino, size, mtimeMs, ctimeMs].join(' ');
