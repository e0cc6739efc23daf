// The clients: a forked process that is given one plan after the other and answers each with figures.
// Over bare sockets, cheaper than any HTTP client, so that they are not what is measured.
import { closedLoop } from './closed-loop.js';
import { heldStreams } from './held-streams.js';
import { openLoop } from './open-loop.js';

const KINDS = { closed: closedLoop, open: openLoop, held: heldStreams };

process.on('message', (plan) => {
  if (plan.kind === undefined) return;
  // Moments that the measuring process has to know of are told by name, the figures come last.
  KINDS[plan.kind](plan, (moment) => process.send(moment)).then(
    (figures) => process.send(figures),
    (error) => process.send({ error: error.message }),
  );
});
process.on('disconnect', () => process.exit());
process.send('ready');
