import { inspect } from 'node:util';
import { Logger } from '@nestjs/common';

export interface FaultHandler {
  /** Gets an exception of a guarded method. It ends the work and releases everything that the work holds. */
  fault(error: unknown): void;
}

/**
 * Decorates a method that handles an event of a socket, a timer or a stream. An exception in such a method has no caller, so it would
 * end the process. The decorator passes it to `fault` of the same object.
 */
export function Guarded<Values extends unknown[]>(
  _prototype: FaultHandler,
  _name: string,
  descriptor: TypedPropertyDescriptor<(...values: Values) => void>,
): void {
  const handle = descriptor.value!;
  descriptor.value = function (this: FaultHandler, ...values: Values): void {
    try {
      handle.apply(this, values);
    } catch (error) {
      runGuarded(() => this.fault(error));
    }
  };
}

/** Runs one of several steps that must all run. An exception is logged. */
export function runGuarded(step: () => void): void {
  try {
    step();
  } catch (error) {
    reportFault(error);
  }
}

/** Logs an exception that nothing else can report. */
export function reportFault(error: unknown): void {
  new Logger('Faults').error(inspect(error, { depth: 1 }));
}
