import { getMetadataStorage } from 'class-validator';
import {
  invalidType,
  invalidValue,
  missingRequiredParameter,
  unsupportedParameter,
} from '../errors/error-factories.js';
import type { GatewayError } from '../errors/gateway-error.js';
import { isObject, type JsonObject } from './check.js';
import { kindOf, metadataOf, type InputCheck, type Metadata, type Place } from './input-metadata.js';
import { firstOf, type Rule } from './body-rules.js';

interface FieldRules {
  readonly name: string;
  readonly applies: readonly ((input: object, value: unknown) => boolean)[];
  readonly checks: readonly InputCheck[];
}

export interface Violation {
  readonly error: GatewayError;
  /** The field of the class, also if the error is about a value inside it. */
  readonly field: string;
}

export interface InputPlace extends Pick<Place, 'context' | 'before'> {
  /** The path of the object with a dot at its end; empty for the body. */
  readonly path: string;
}

const ROOT: InputPlace = { path: '' };
const STRICT = { lenient: false };
const UNKNOWN_FIELDS_MAX = 20;
const TYPE_RULES: ReadonlySet<string> = new Set(['isString', 'isArray', 'isBoolean', 'isInt']);

/**
 * The class-validator rules of a class, compiled once. `validate()` takes ten times as long and reports no paths of items (ADR 0025).
 * Each rule still runs in its own validator.
 */
export class InputRules {
  private static readonly compiled = new WeakMap<Function, InputRules>();

  private readonly names: ReadonlySet<string>;
  private readonly fields: readonly FieldRules[];
  private readonly classRules: readonly Rule<object>[];
  private readonly laterFields: readonly FieldRules[];

  static of(Dto: Function): InputRules {
    let rules = this.compiled.get(Dto);
    if (rules === undefined) this.compiled.set(Dto, (rules = new InputRules(Dto)));
    return rules;
  }

  /** @param ofQuery query parameters are text, so no violation is `invalid_type` or `missing_required_parameter` */
  constructor(Dto: Function, ofQuery = false) {
    const all = metadataOf(Dto);
    const ofFields = all.filter(({ name }) => name !== 'rules');
    const byField = Map.groupBy(ofFields, ({ propertyName }) => propertyName);
    if (byField.size === 0) throw new Error(`${Dto.name} has no decorated field`);
    const compiled = [...byField].map(([name, rules]) => compileField(Dto, name, rules, ofQuery));
    this.names = new Set(byField.keys());
    this.fields = compiled.map(({ first }) => first);
    this.laterFields = compiled.flatMap(({ later }) => (later.checks.length === 0 ? [] : later));
    this.classRules = all.flatMap(({ name, constraints }) =>
      name === 'rules' ? (constraints[0] as Rule<object>[]) : [],
    );
  }

  knows(name: string): boolean {
    return this.names.has(name);
  }

  /** Returns the first fields that the class does not have. A body can have hundreds of thousands, and each becomes an error. */
  unknownFields(input: object): string[] {
    const unknown: string[] = [];
    for (const name in input) {
      if (!this.names.has(name) && unknown.push(name) === UNKNOWN_FIELDS_MAX) break;
    }
    return unknown;
  }

  /** Returns the first violation of each invalid field, in the order of the class. */
  fieldViolations(input: object, place: InputPlace = ROOT): Violation[] {
    return [...violationsIn(this.fields, input as JsonObject, place)];
  }

  /** Returns the first violation of a rule over several fields. It assumes that every single field is valid. */
  laterViolation(input: object, place: InputPlace = ROOT): Violation | null {
    const error = firstOf(this.classRules, input, STRICT);
    if (error !== null) return { error, field: error.param ?? '' };
    return firstIn(violationsIn(this.laterFields, input as JsonObject, place));
  }

  /** Judges an object inside other input. Unknown fields come first. @param param its path */
  judgeNested(value: unknown, param: string, place: Omit<InputPlace, 'path'>): GatewayError | null {
    if (!isObject(value)) return invalidType(param, 'an object');
    const path = `${param}.`;
    const [unknown] = this.unknownFields(value);
    if (unknown !== undefined) return unsupportedParameter(path + unknown);
    const placed = { path, before: place.before, context: place.context };
    const found = firstIn(violationsIn(this.fields, value, placed)) ?? this.laterViolation(value, placed);
    return found?.error ?? null;
  }
}

const firstIn = (violations: Iterator<Violation, undefined>): Violation | null => violations.next().value ?? null;

/** Yields the first violation of each invalid field. */
function* violationsIn(
  fields: readonly FieldRules[],
  input: JsonObject,
  place: InputPlace,
): Generator<Violation, undefined> {
  for (const { name, applies, checks } of fields) {
    const value = input[name];
    if (!applies.every((condition) => condition(input, value))) continue;
    const { before, context } = place;
    const placed = { param: place.path + name, input, before, context };
    const error = firstError(checks, value, placed);
    if (error !== null) yield { error, field: name };
  }
}

function firstError(checks: readonly InputCheck[], value: unknown, place: Place): GatewayError | null {
  for (const check of checks) {
    const error = check(value, place);
    if (error !== null) return error;
  }
  return null;
}

function compileField(Dto: Function, name: string, all: Metadata, ofQuery: boolean) {
  const conditions = all.filter(({ type }) => type === 'conditionalValidation');
  const applies = conditions.map(({ constraints }) => constraints[0] as FieldRules['applies'][number]);
  const rules = all.filter(({ type }) => type === 'customValidation');
  if (isUnboundedList(rules)) throw new Error(`${Dto.name}.${name} needs @ArrayMaxSize`);
  const checksOf = (isLater: boolean) => {
    const some = rules.filter(({ context }) => (context !== undefined) === isLater);
    return compileRules(some, (rule) => compileRule(rule, rules, ofQuery));
  };
  return { first: { name, applies, checks: checksOf(false) }, later: { name, applies, checks: checksOf(true) } };
}

const isUnboundedList = (rules: Metadata): boolean =>
  rules.some(({ name }) => name === 'isArray') && !rules.some(({ name }) => name === 'arrayMaxSize');

/** The rules of items become one check, which judges one item after the other. */
function compileRules(rules: Metadata, compile: (rule: Metadata[number]) => InputCheck): InputCheck[] {
  const [ofItems = [], ofValue = []] = [true, false].map((each) =>
    rules.filter((rule) => (rule.each ?? false) === each),
  );
  const checks = ofValue.map(compile);
  if (ofItems.length === 0) return checks;
  const itemChecks = ofItems.map(compile);
  return checks.toSpliced(rules.indexOf(ofItems[0]!), 0, (value, place) => itemViolation(value, place, itemChecks));
}

function itemViolation(value: unknown, place: Place, checks: readonly InputCheck[]): GatewayError | null {
  // An earlier rule rejects a value that is not a list.
  if (!Array.isArray(value)) return null;
  for (let at = 0; at < value.length; at++) {
    const item: unknown = value[at];
    const param = `${place.param}[${at}]`;
    const before = value[at - 1] as JsonObject | undefined;
    const error = firstError(checks, item, { param, input: place.input, before, context: place.context });
    if (error !== null) return error;
  }
  return null;
}

function compileRule(rule: Metadata[number], ofField: Metadata, ofQuery: boolean): InputCheck {
  const { name, constraints, propertyName: property, message } = rule;
  if (name === 'checkedBy') return constraints[0] as InputCheck;
  if (name === 'isNested') {
    const Dto = constraints[0] as Function;
    return (value, { param, before, context }) => InputRules.of(Dto).judgeNested(value, param, { before, context });
  }
  const [validator] = getMetadataStorage().getTargetValidatorConstraints(rule.constraintCls);
  const { instance } = validator!;
  const expected = typeof message === 'string' ? message : undefined;
  const kind = kindOf(rule.each === true ? ofField.filter(({ each }) => each) : ofField);
  const wordBody = (value: unknown, param: string): GatewayError => {
    if (value === undefined) return missingRequiredParameter(param);
    if (expected !== undefined) return (TYPE_RULES.has(name ?? '') ? invalidType : invalidValue)(param, expected);
    return kind.check(value, param, STRICT) ?? invalidValue(param, 'valid');
  };
  const wordQuery = (value: unknown, param: string): GatewayError =>
    invalidValue(param, Array.isArray(value) ? 'specified only once' : (expected ?? 'valid'));
  const word = ofQuery ? wordQuery : wordBody;
  return (value, { param, input }) =>
    instance.validate(value, { targetName: '', property, object: input, value, constraints }) === true
      ? null
      : word(value, param);
}
