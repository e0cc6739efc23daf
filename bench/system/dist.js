// BENCH_DIST replaces dist/, for example with the build of another commit.
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

export const DIST = resolve(process.env.BENCH_DIST || 'dist');
export const GATEWAY = resolve(DIST, 'src/main.js');

export const fromDist = (file) => import(pathToFileURL(resolve(DIST, file)).href);
