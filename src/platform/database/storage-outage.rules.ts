/** A connection or user is refused, lost, late or outdated; the server cannot serve or lacks disk space; a statement or lock timed out. */
const OUTAGE_CODES =
  /^(28...|E(CONNREFUSED|CONNRESET|PIPE|TIMEDOUT|HOSTUNREACH|NOTFOUND|AI_AGAIN)|08...|25006|57014|57P0[123]|53...|55P03|GW_OUTDATED_SERVER|GW_OUTCOME_UNKNOWN|GW_PASSWORD|GW_SESSION_TARGET)$/;
/** Errors of the driver and its pool that have no code. */
const OUTAGE_MESSAGES =
  /Connection terminated|Client (was closed|has encountered a connection error)|trying to connect|Driver not Connected|did not respond within/;

interface DriverFailure {
  readonly code?: unknown;
  readonly message?: unknown;
  readonly driverError?: unknown;
}

/** Whether an error means that the database is unavailable (503), not that a statement is wrong (500). */
export function isStorageOutage(thrown: unknown): boolean {
  if (typeof thrown !== 'object' || thrown === null) return false;
  const { code, message, driverError } = thrown as DriverFailure;
  if (typeof code === 'string' && OUTAGE_CODES.test(code)) return true;
  return (typeof message === 'string' && OUTAGE_MESSAGES.test(message)) || isStorageOutage(driverError);
}
