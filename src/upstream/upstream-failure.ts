import { badRequest, internalError, serviceUnavailable, upstreamError } from '../errors/catalogue.js';
import type { GatewayError } from '../errors/gateway-error.js';

/** All that can go wrong between here and the upstream, as the client is told (D5, D22). */

export const noFreeConnection = (): GatewayError =>
  serviceUnavailable(new Error('every upstream connection is in use'));
export const refusedByBreaker = (retryAfterSeconds: number): GatewayError =>
  upstreamError('The upstream cannot be reached.', {
    cause: new Error('circuit breaker open'),
    headers: { 'retry-after': String(retryAfterSeconds) },
  });
export const connectTimedOut = (): GatewayError =>
  upstreamError('No connection to the upstream could be made in time.');
export const headTimedOut = (): GatewayError => upstreamError('The upstream did not answer in time.');
export const idleTimedOut = (): GatewayError => upstreamError('The upstream stopped in the middle of its answer.');
export const stoppedReading = (): GatewayError => upstreamError('The upstream stopped in the middle of the upload.');
export const notSendable = (): GatewayError =>
  badRequest('The path or a header holds characters that are not allowed.');

/** An answer that ended by a lost connection where only a closed one tells its end. */
export const cutShort = (cause: unknown): GatewayError =>
  upstreamError('The upstream broke off its answer.', { cause });

/** A whole answer, or a piece of one, of which the client's answer cannot be made. */
export const notConvertible = (cause: unknown): GatewayError =>
  upstreamError('The upstream answered in an unexpected form.', { cause });

export const unknownEncoding = (encoding: string): GatewayError =>
  upstreamError('The upstream answered in an encoding that was not asked for.', { cause: new Error(encoding) });

/** @param connected whether the request had been begun on a connection */
export function failureOf(error: Error, connected: boolean): GatewayError {
  if (isBadArgument(error)) return internalError(error);
  if (!connected) return upstreamError('The upstream cannot be reached.', { cause: error });
  return upstreamError('The connection to the upstream broke.', { cause: error });
}

/** As `failureOf`, for the metrics. */
export function reasonOf(error: Error, connected: boolean): FailureReason {
  if (isBadArgument(error)) return 'internal';
  if (!connected) return 'connect';
  return PROTOCOL.has(codeOf(error)) || error.name === 'HTTPParserError' ? 'protocol' : 'reset';
}

/** undici took the arguments amiss. */
const isBadArgument = (error: Error): boolean => BAD_ARGUMENT.has(codeOf(error));

/** Of an error that came before the request was begun: there was no connection to be had, and not by our own doing. */
export const isConnectFailure = (error: Error): boolean => codeOf(error) !== '' && !NOT_OF_THE_WIRE.has(codeOf(error));

const PROTOCOL: ReadonlySet<string> = new Set(['UND_ERR_HEADERS_OVERFLOW', 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH']);
const BAD_ARGUMENT: ReadonlySet<string> = new Set(['UND_ERR_INVALID_ARG', 'UND_ERR_NOT_SUPPORTED']);
const NOT_OF_THE_WIRE: ReadonlySet<string> = new Set([...BAD_ARGUMENT, 'UND_ERR_DESTROYED', 'UND_ERR_CLOSED']);

const codeOf = (error: Error): string => ('code' in error && typeof error.code === 'string' ? error.code : '');

/** Why an upstream request failed. `status`: the response was outside 2xx; `error_object`: a 2xx response contained an error. */
export const FAILURE_REASONS = [
  'connect',
  'breaker',
  'no_connection',
  'head_timeout',
  'idle_timeout',
  'reset',
  'protocol',
  'encoding',
  'internal',
  'status',
  'error_object',
] as const;

export type FailureReason = (typeof FAILURE_REASONS)[number];

/** Failed requests to one upstream address since the start of the process. */
export type FailureCounts = Record<FailureReason, number>;

export const noFailures = (): FailureCounts =>
  Object.fromEntries(FAILURE_REASONS.map((reason) => [reason, 0])) as FailureCounts;
