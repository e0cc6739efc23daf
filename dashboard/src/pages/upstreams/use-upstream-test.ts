import { useState } from 'react';
import { testUpstream } from './upstream-calls';
import type { TestedUpstream } from './upstream-types';

export interface UpstreamTest {
  readonly busy: boolean;
  /** null before the first test. */
  readonly result: TestedUpstream | null;
  /** Set if the gateway did not run the test. */
  readonly error: unknown;
  readonly run: () => void;
}

export function useUpstreamTest(name: string): UpstreamTest {
  const [busy, setBusy] = useState(false);
  const [result, setResult] = useState<TestedUpstream | null>(null);
  const [error, setError] = useState<unknown>(null);
  async function run(): Promise<void> {
    setBusy(true);
    setError(null);
    try {
      setResult(await testUpstream(name));
    } catch (caught) {
      setResult(null);
      setError(caught);
    } finally {
      setBusy(false);
    }
  }
  return { busy, result, error, run: () => void run() };
}
