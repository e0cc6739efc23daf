// Runs after `npm ci` and makes npm scripts use the project's Node (tools/node). The npm of Node 20 and 22 creates
// the link, but deletes it with the links of the other platforms, which have the same name.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

const npm = process.env.npm_execpath;
const { optionalDependencies } = JSON.parse(readFileSync('tools/node/package.json', 'utf8'));
const ours = Object.keys(optionalDependencies).filter((name) => existsSync(`node_modules/${name}`));

if (/\bnpm-cli\.c?js$/.test(npm ?? '') && ours.length > 0 && !existsSync('node_modules/.bin/node')) {
  const { status } = spawnSync(process.execPath, [npm, 'rebuild', '--ignore-scripts', ...ours], {
    stdio: 'inherit',
  });
  // This is not an error, because a recent system Node works too.
  if (status !== 0)
    console.warn("The project's Node could not be linked to node_modules/.bin. npm scripts use the system's Node.");
}

// This script can already run on the project's Node, so the installed version comes from npm's user agent.
const [, installed] = /\bnode\/v([\d.]+)/.exec(process.env.npm_config_user_agent ?? '') ?? [];
const own = optionalDependencies[ours[0]];
if (own !== undefined && installed !== undefined && installed !== own && existsSync('node_modules/.bin/node'))
  console.log(`npm scripts run on Node ${own} from node_modules/.bin, not on ${installed}.`);
