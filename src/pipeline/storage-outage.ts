/**
 * Connection refused, lost or timed out; server stopping, starting, out of connections or of disk; a statement past its time
 * limit; a server that takes no writes.
 */
const CODES =
  /^(E(CONNREFUSED|CONNRESET|PIPE|TIMEDOUT|HOSTUNREACH|NOTFOUND|AI_AGAIN)|08...|25006|57014|57P0[123]|53...|55P03)$/;
/** What the driver and its pool say without a code. */
const MESSAGES =
  /Connection terminated|Client (was closed|has encountered a connection error)|trying to connect|Driver not Connected|did not answer within/;

interface DriverFailure {
  readonly code?: unknown;
  readonly message?: unknown;
  readonly driverError?: unknown;
}

/** Whether what was thrown tells that the database could not be asked, rather than that it was asked something wrong: 503, not 500. */
export function isStorageOutage(thrown: unknown): boolean {
  if (typeof thrown !== 'object' || thrown === null) return false;
  const { code, message, driverError } = thrown as DriverFailure;
  if (typeof code === 'string' && CODES.test(code)) return true;
  return (typeof message === 'string' && MESSAGES.test(message)) || isStorageOutage(driverError);
}
