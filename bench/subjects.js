import { startGateway } from './subjects/gateway.js';
import { startGoverned } from './subjects/governed-gateway.js';
import { startLiteLlm, whyNoLiteLlm } from './subjects/litellm.js';
import { startNginx, whyNoNginx } from './subjects/nginx.js';
import { startPlain } from './subjects/plain.js';
import { startPortkey, whyNoPortkey } from './subjects/portkey.js';

export { freePort } from './system/processes.js';

export const BARE = 'bare proxy';
export const OURS = 'gateway';
export const GOVERNED = 'gateway, governed';

/**
 * Subjects in measuring order. `absent` returns why a subject cannot start on this machine, or null. A peer is another gateway, which is
 * measured only on request.
 */
const SUBJECTS = {
  [BARE]: { start: startPlain('bare-proxy.js') },
  '@fastify/http-proxy': { start: startPlain('fastify-http-proxy.js') },
  nginx: { start: startNginx, absent: whyNoNginx },
  Portkey: { start: startPortkey, absent: whyNoPortkey, isPeer: true },
  LiteLLM: { start: startLiteLlm, absent: whyNoLiteLlm, isPeer: true },
  [OURS]: { start: startGateway },
  [GOVERNED]: { start: startGoverned },
};

/** @param options `peers` and `subjects`, as in options.js */
export function availableSubjects({ peers, subjects: wanted }, say) {
  const isChosen = ([name, { isPeer = false }]) =>
    [BARE, OURS].includes(name) ||
    (wanted.length === 0 ? peers || !isPeer : wanted.some((word) => name.includes(word)));
  const chosen = Object.entries(SUBJECTS).filter(isChosen);
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
