import type { TokenUsage } from '../../../request-context/token-usage.js';
import type { UsageReader } from '../usage-reader.js';

/** Which sides of a request have their tokens estimated. */
export interface EstimatedSides {
  readonly request: boolean;
  readonly answer: boolean;
}

/**
 * Those of which the report says nothing, or nothing but 0, on routes that are estimated (D14). None of a request that the
 * upstream has not got whole, and none where the report is whole.
 * @param usage what was reported; of a cut answer maybe a part
 */
export function sidesToEstimate(
  usage: TokenUsage,
  sentWhole: boolean,
  estimates: UsageReader['estimates'],
): EstimatedSides {
  if (usage.provenance === 'reported' || !sentWhole || estimates === 'nothing')
    return { request: false, answer: false };
  return {
    request: usage.inputTokens === 0,
    answer: usage.outputTokens === 0 && estimates === 'request and answer',
  };
}
