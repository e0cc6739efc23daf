import { startGateway } from './subjects/gateway.js';
import { startNginx, whyNoNginx } from './subjects/nginx.js';
import { startPlain } from './subjects/plain.js';
import { startPortkey, whyNoPortkey } from './subjects/portkey.js';

export { freePort } from './system/processes.js';

export const BARE = 'bare proxy';
export const OURS = 'gateway';

/** Subjects in measuring order. `absent` returns why a subject cannot start on this machine, or null. */
const SUBJECTS = {
  [BARE]: { start: startPlain('bare-proxy.js') },
  '@fastify/http-proxy': { start: startPlain('fastify-http-proxy.js') },
  nginx: { start: startNginx, absent: whyNoNginx },
  Portkey: { start: startPortkey, absent: whyNoPortkey },
  [OURS]: { start: startGateway },
};

export function availableSubjects(wanted, say) {
  const chosen = Object.entries(SUBJECTS).filter(
    ([name]) => wanted.length === 0 || [BARE, OURS].includes(name) || wanted.some((word) => name.includes(word)),
  );
  return chosen.filter(([name, { absent }]) => {
    const why = absent?.() ?? null;
    if (why !== null) say(`Without ${name}: ${why}.`);
    return why === null;
  });
}

export async function startSubjects(available, place) {
  const started = {};
  for (const [name, { start }] of available) started[name] = { name, ...(await start(place)) };
  return started;
}
