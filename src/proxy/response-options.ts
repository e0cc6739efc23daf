import type { FastifyReply } from 'fastify';
import type { ConversionMemory } from '../fairness/response-memory.js';
import type { ResponseConverter } from './forward-plan.js';
import type { ResponseMeter } from './metering/response-meter.js';

/** Dependencies and options of forwarding one response. */
export interface ResponseOptions {
  readonly reply: FastifyReply;
  /** null: responses of this route do not cost tokens. */
  readonly meter: ResponseMeter | null;
  /** Must not appear in a message or a header of the upstream. */
  readonly secrets: readonly string[];
  /** `GW_UPSTREAM_ERRORS` is `relay`. */
  readonly relay: boolean;
  /** Milliseconds that a client can leave its response unread. */
  readonly stuckClientMs: number;
  /** null: the bytes are forwarded as they arrive. */
  readonly converter: ResponseConverter | null;
  /** A response that is converted has to be held whole. */
  readonly conversions: ConversionMemory;
  /** The response is a file, whose name is forwarded. */
  readonly isFile: boolean;
  /** Open event streams. The response adds itself when it begins, and removes itself when it ends. */
  readonly streams: { open: number };
}
