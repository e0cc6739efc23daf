// After `npm ci`: the Node that the project brings (tools/node) has to be the one that npm scripts find. npm 10, which comes
// with Node 20 and 22, links it and then takes the link away together with those of the other platforms, which have the same
// name. npm 11 leaves nothing to do here.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

const npm = process.env.npm_execpath;
const { optionalDependencies } = JSON.parse(readFileSync('tools/node/package.json', 'utf8'));
const brought = Object.keys(optionalDependencies).filter((name) => existsSync(`node_modules/${name}`));

if (/\bnpm-cli\.c?js$/.test(npm ?? '') && brought.length > 0 && !existsSync('node_modules/.bin/node')) {
  const { status } = spawnSync(process.execPath, [npm, 'rebuild', '--ignore-scripts', ...brought], {
    stdio: 'inherit',
  });
  // The programs run on a Node of the system's too, where it is new enough.
  if (status !== 0) console.warn('The Node that the project brings could not be linked to node_modules/.bin.');
}

// This script itself can run on the project's Node already: npm names the one that it runs on.
const [, installed] = /\bnode\/v([\d.]+)/.exec(process.env.npm_config_user_agent ?? '') ?? [];
const own = optionalDependencies[brought[0]];
if (own !== undefined && installed !== undefined && installed !== own && existsSync('node_modules/.bin/node'))
  console.log(`npm scripts run on Node ${own} from node_modules/.bin, not on ${installed}.`);
