// The clients: a forked process that receives plans one after another and returns the results of each. It uses plain sockets, which
// cost less than any HTTP client, so that the clients are not the bottleneck.
import { closedLoop } from './closed-loop.js';
import { heldStreams } from './held-streams.js';
import { openLoop } from './open-loop.js';

const KINDS = { closed: closedLoop, open: openLoop, held: heldStreams };

process.on('message', (plan) => {
  if (plan.kind === undefined) return;
  KINDS[plan.kind](plan, (moment) => process.send(moment)).then(
    (figures) => process.send(figures),
    (error) => process.send({ error: error.message }),
  );
});
process.on('disconnect', () => process.exit());
process.send('ready');
