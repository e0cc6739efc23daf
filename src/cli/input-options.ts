import { Option, type Command } from 'commander';
import type { GatewayError } from '../errors/gateway-error.js';
import { CliError, EXIT, usageError } from './cli-error.js';

/** An option of a command, and the field of the Admin API's request that it fills. */
export interface InputOption {
  /** As commander takes them: `--rpm <n>`. */
  readonly flags: string;
  readonly field: string;
  readonly description: string;
  /** Left out: the text as it is. `before` is what the same option gave earlier on the line. */
  readonly read?: (text: string, before: unknown) => unknown;
  /** The word that is typed for null: `unlimited`. */
  readonly forNull?: string;
}

/** Commander makes an empty text of a null. */
const NULL = Symbol('null');

/** A whole number becomes one; anything else stays text, for the field's own rule to refuse. */
export const wholeNumber = (text: string): unknown => (/^-?\d{1,20}$/.test(text) ? Number(text) : text);

/** `a,b`, also given several times. */
export const commaSeparated = (text: string, before: unknown): string[] => [
  ...(Array.isArray(before) ? (before as string[]) : []),
  ...text.split(',').map((part) => part.trim()),
];

/** Of an option given twice commander would take the last; that is refused here, but for a list, which goes on. */
export function addInputs(command: Command, inputs: readonly InputOption[]): Command {
  for (const { flags, description, read = (text: string) => text, forNull } of inputs) {
    const option = new Option(flags, description);
    const parse = (text: string, before: unknown) => {
      const goesOn = Array.isArray(before) && text !== forNull;
      if (before !== undefined && !goesOn) throw usageError(`option '${option.long ?? flags}' is given twice`);
      return text === forNull ? NULL : read(text, before);
    };
    command.addOption(option.argParser(parse));
  }
  return command;
}

/** The request of the same call on the Admin API: only what was given. */
export function inputOf(inputs: readonly InputOption[], command: Command): Record<string, unknown> {
  const given = command.opts<Record<string, unknown>>();
  const fields = inputs.map(({ flags, field }) => [field, given[new Option(flags).attributeName()]] as const);
  const filled = fields.filter(([, value]) => value !== undefined);
  return Object.fromEntries(filled.map(([field, value]) => [field, value === NULL ? null : value]));
}

/** A violation as the Admin API tells it, and the option to which it belongs. */
export function wrongInput(inputs: readonly InputOption[], { code, message, param }: GatewayError): CliError {
  const flags = inputs.find(({ field }) => field === param)?.flags;
  const option = flags === undefined ? null : (new Option(flags).long ?? null);
  return new CliError(code, message, { param, option, exitCode: EXIT.usage });
}
