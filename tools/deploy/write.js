import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { chartFiles, manifestFiles } from './generated.js';
import { inRoot } from './paths.js';

for (const make of [chartFiles, manifestFiles]) {
  for (const [path, text] of await make()) {
    mkdirSync(dirname(inRoot(path)), { recursive: true });
    writeFileSync(inRoot(path), text);
  }
}
