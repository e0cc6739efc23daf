import { parentPort } from 'node:worker_threads';
import { estimate } from './count-tokens.js';
import type { Estimate, EstimateJob } from './estimate-job.js';
import { tokenizerFor } from './tokenizer.js';

// The worker thread of `TokenThread`. It replies to each job with its estimate, or null.
parentPort?.on('message', (job: EstimateJob) => {
  void counted(job).then((reply) => parentPort?.postMessage(reply));
});

async function counted(job: EstimateJob): Promise<Estimate | null> {
  const count = await tokenizerFor(job.model);
  try {
    return estimate(job, count);
  } catch {
    // Clients control the input. The thread must survive any job.
    return null;
  }
}
