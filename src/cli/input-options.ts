import { Option, type Command } from 'commander';
import { GatewayError } from '../platform/errors/gateway-error.js';
import { CliError, EXIT, usageError } from './cli-error.js';
import { InputPipe } from '../platform/validation/input.pipe.js';

export interface InputOption {
  readonly flags: string;
  readonly field: string;
  readonly description: string;
  /** Parses the option's text. Without it, the text is the value. `before` is the value of an earlier occurrence. */
  readonly read?: (text: string, before: unknown) => unknown;
  readonly forNull?: string;
}

/** Replaces null, which Commander would turn into an empty string. */
const NULL = Symbol('null');

/** Returns other text unchanged, so that the field's own validation rejects it. */
export const wholeNumber = (text: string): unknown => (/^-?\d{1,20}$/.test(text) ? Number(text) : text);

export const commaSeparated = (text: string, before: unknown): string[] => [
  ...(Array.isArray(before) ? (before as string[]) : []),
  ...text.split(',').map((part) => part.trim()),
];

/** Only lists can be repeated. For other options, Commander would silently use the last value. */
export function addInputs(command: Command, inputs: readonly InputOption[]): Command {
  for (const { flags, description, read = (text: string) => text, forNull } of inputs) {
    const option = new Option(flags, description);
    const parse = (text: string, before: unknown) => {
      const extendsList = Array.isArray(before) && text !== forNull;
      if (before !== undefined && !extendsList) throw usageError(`option '${option.long ?? flags}' is given twice`);
      return text === forNull ? NULL : read(text, before);
    };
    command.addOption(option.argParser(parse));
  }
  return command;
}

export function inputOf(inputs: readonly InputOption[], command: Command): Record<string, unknown> {
  const given = command.opts<Record<string, unknown>>();
  const fields = inputs.map(({ flags, field }) => [field, given[new Option(flags).attributeName()]] as const);
  const filled = fields.filter(([, value]) => value !== undefined);
  return Object.fromEntries(filled.map(([field, value]) => [field, value === NULL ? null : value]));
}

export function wrongInput(inputs: readonly InputOption[], { code, message, param }: GatewayError): CliError {
  const flags = inputs.find(({ field }) => field === param)?.flags;
  const option = flags === undefined ? null : (new Option(flags).long ?? null);
  return new CliError(code, message, { param, option, exitCode: EXIT.usage });
}

type Input = Record<string, unknown>;

/** Replaces the field in an error of the Admin API with the name of its option. */
export async function namingOptions<T>(options: readonly InputOption[], work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof GatewayError && error.code === 'validation_error' ? wrongInput(options, error) : error;
  }
}

/**
 * Validates a body like the Admin API.
 * @throws CliError with the API's code, message and `param`
 */
export const checkBody = <T extends object>(Dto: new () => T, body: Input, options: readonly InputOption[]) =>
  namingOptions(options, () => new InputPipe(Dto, { source: 'body' }).transform(body));

export const readQuery = <T extends object>(Dto: new () => T, query: Input, options: readonly InputOption[]) =>
  namingOptions(options, () => new InputPipe(Dto, { source: 'query' }).transform(query));
