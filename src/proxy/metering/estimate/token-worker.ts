import { parentPort } from 'node:worker_threads';
import { estimate } from './count-tokens.js';
import type { Estimate, EstimateJob } from './estimate-job.js';
import { tokenizerFor } from './tokenizer.js';

// The thread that counts: one job at a time, each answered with its estimate, or null for one that cannot be counted.
parentPort?.on('message', (job: EstimateJob) => {
  void counted(job).then((answer) => parentPort?.postMessage(answer));
});

async function counted(job: EstimateJob): Promise<Estimate | null> {
  const count = await tokenizerFor(job.model);
  try {
    return estimate(job, count);
  } catch {
    // Whatever a client wrote: the thread goes on with the next.
    return null;
  }
}
