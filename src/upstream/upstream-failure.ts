import { badRequest, internalError, serviceUnavailable, upstreamError } from '../platform/errors/error-factories.js';
import type { GatewayError } from '../platform/errors/gateway-error.js';

// The messages are sent to clients (D5, D22).

export const noFreeConnection = (): GatewayError => serviceUnavailable(new Error('No upstream connection is free'));
export const refusedByBreaker = (retryAfterSeconds: number): GatewayError =>
  upstreamError('The gateway cannot reach the upstream. Try again later.', {
    cause: new Error('The circuit breaker is open'),
    headers: { 'retry-after': String(retryAfterSeconds) },
  });
export const connectTimedOut = (): GatewayError =>
  upstreamError('The gateway could not connect to the upstream in time. Try again later.');
export const headTimedOut = (): GatewayError => upstreamError('The upstream did not respond in time. Try again later.');
export const idleTimedOut = (): GatewayError =>
  upstreamError('The upstream stopped sending its response. Try again later.');
export const stoppedReading = (): GatewayError =>
  upstreamError('The upstream stopped reading the upload. Try again later.');
export const notSendable = (): GatewayError =>
  badRequest('The request path or a header contains characters that are not allowed. Remove or encode them.');

/** The connection was reset before the end, or the response cannot be decoded completely. */
export const cutShort = (cause: unknown): GatewayError =>
  upstreamError('The upstream response is incomplete or corrupt. Try again later.', { cause });

export const notConvertible = (cause: unknown): GatewayError =>
  upstreamError('The upstream response has an unexpected format. Use POST /v1/chat/completions.', { cause });

/** The gateway's own code has failed, which a response must not be able to cause. */
export const notProcessed = (cause: unknown): GatewayError =>
  upstreamError('The gateway could not process the upstream response. Try again later.', { cause });

export const unknownEncoding = (encoding: string): GatewayError =>
  upstreamError('The upstream response has an unsupported content encoding. Ask an operator of this gateway.', {
    cause: new Error(encoding),
  });

/** The error for the client. @param connected whether the request was started on a connection */
export function failureOf(error: Error, connected: boolean): GatewayError {
  if (isBadArgument(error)) return internalError(error);
  if (!connected) return upstreamError('The gateway cannot reach the upstream. Try again later.', { cause: error });
  return upstreamError('The connection to the upstream failed. Try again later.', { cause: error });
}

/** The reason under which the failure is counted. @param connected like that of `failureOf` */
export function reasonOf(error: Error, connected: boolean): FailureReason {
  if (isBadArgument(error)) return 'internal';
  if (!connected) return 'connect';
  return PROTOCOL.has(codeOf(error)) || error.name === 'HTTPParserError' ? 'protocol' : 'reset';
}

const isBadArgument = (error: Error): boolean => BAD_ARGUMENT.has(codeOf(error));

/** Whether no connection could be opened. Excludes invalid arguments and connections that the gateway closed. */
export const isConnectFailure = (error: Error): boolean =>
  codeOf(error) !== '' && !NOT_NETWORK_ERRORS.has(codeOf(error));

const PROTOCOL: ReadonlySet<string> = new Set(['UND_ERR_HEADERS_OVERFLOW', 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH']);
const BAD_ARGUMENT: ReadonlySet<string> = new Set(['UND_ERR_INVALID_ARG', 'UND_ERR_NOT_SUPPORTED']);
const NOT_NETWORK_ERRORS: ReadonlySet<string> = new Set([...BAD_ARGUMENT, 'UND_ERR_DESTROYED', 'UND_ERR_CLOSED']);

const codeOf = (error: Error): string => ('code' in error && typeof error.code === 'string' ? error.code : '');

/** `internal`: an error of the gateway. `status`: the response was outside 2xx. `error_object`: a 2xx response contained an error. */
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

export type FailureCounts = Record<FailureReason, number>;

export const noFailures = (): FailureCounts =>
  Object.fromEntries(FAILURE_REASONS.map((reason) => [reason, 0])) as FailureCounts;
