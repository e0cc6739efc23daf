import { invalidValue } from '../../platform/errors/error-factories.js';
import type { RequestContext } from '../../platform/request-context/request-context.js';

/** Rejects background responses under limits of tokens or cost, because their usage is known only after the request has ended (D14). */
export function rejectUnmeteredBackground({ body, key, reservation }: RequestContext): void {
  const background = body.json?.['background'];
  const hasTokenLimit = key!.monthlyTokenLimit !== null;
  if (background === undefined || !(hasTokenLimit || reservation?.requiresMeteredUsage === true)) return;
  if (background === null || background === false) return;
  const limit = hasTokenLimit ? 'a monthly token limit' : 'a token or cost limit';
  throw invalidValue(
    'background',
    `false, because this API key has ${limit} and background responses cannot be metered`,
  );
}
