// Writes docs/upstreams.schema.json, which editors use for the file of GW_UPSTREAMS.
import { writeFileSync } from 'node:fs';
import { format } from 'prettier';
import './typescript-hook.js';

const { UPSTREAMS_SCHEMA } = await import('../src/platform/config/upstreams/upstreams-schema.data.ts');

const file = 'docs/upstreams.schema.json';
writeFileSync(file, await format(JSON.stringify(UPSTREAMS_SCHEMA), { filepath: file, printWidth: 120 }));
