import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import { nearestName } from './nearest-name.rules.js';
import { UPSTREAMS_SCHEMA } from './upstreams-schema.data.js';
import type { Path } from './yaml-document.rules.js';

export interface FileProblem {
  readonly at: Path;
  readonly part: 'value' | 'key';
  /** Follows the path. Never contains a value that can be a secret. */
  readonly text: string;
  /** The last name of the path is not shown: a secret in the wrong place can look like the name of a field. */
  readonly nameHidden?: boolean;
}

const USUAL_FIELD_NAME = /^\$?[A-Za-z][A-Za-z_-]{0,39}$/;

/** Bounds the errors to process, because an invalid file can have an error for each of its bytes. Only a few are shown. */
const ERRORS_MAX = 2000;

let validate: ValidateFunction | null = null;

/** Compares a value with the schema, and translates the validator's errors. */
export function schemaProblems(value: unknown): FileProblem[] {
  validate ??= new Ajv({ allErrors: true, verbose: true, allowUnionTypes: true, strictTypes: false })
    .addVocabulary(['errorMessage'])
    .compile(UPSTREAMS_SCHEMA);
  if (validate(value)) return [];
  const problems = withoutOtherForms((validate.errors ?? []).slice(0, ERRORS_MAX)).map(problemOf);
  // Removes duplicates, because several keywords of a value share one text.
  return [...new Map(problems.map((problem) => [JSON.stringify(problem), problem])).values()];
}

/**
 * If a value can have several forms, the validator reports the errors of every form. Keeps only the errors of the form that
 * matches the type of the value, or a single error if no form matches.
 */
function withoutOtherForms(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  let kept = errors;
  for (const error of errors) {
    if (error.keyword !== 'anyOf' && error.keyword !== 'oneOf') continue;
    const forms = error.schema as readonly { readonly type?: string }[];
    const fitting = forms.findIndex(({ type }) => type === typeOf(error.data));
    const ofForms = `${error.schemaPath}/`;
    const ofFitting = `${ofForms}${fitting}/`;
    kept = kept.filter((other) => {
      if (!concerns(other, error)) return true;
      if (other === error) return fitting === -1;
      return !other.schemaPath.startsWith(ofForms) || other.schemaPath.startsWith(ofFitting);
    });
  }
  return kept.filter(({ keyword }) => keyword !== 'propertyNames');
}

const concerns = ({ instancePath }: ErrorObject, error: ErrorObject): boolean =>
  instancePath === error.instancePath || instancePath.startsWith(`${error.instancePath}/`);

const typeOf = (value: unknown): string => (Array.isArray(value) ? 'array' : value === null ? 'null' : typeof value);

function problemOf(error: ErrorObject): FileProblem {
  const at = pathOf(error.instancePath);
  const value = (text: string, path: Path = at): FileProblem => ({ at: path, part: 'value', text });
  const { errorMessage, properties = {} } = error.parentSchema as {
    errorMessage?: string;
    properties?: Record<string, unknown>;
  };
  if (error.propertyName !== undefined)
    return { at: [...at, error.propertyName], part: 'key', text: errorMessage ?? 'is not a valid name. Rename it.' };
  switch (error.keyword) {
    case 'additionalProperties': {
      const field = String(error.params['additionalProperty']);
      return {
        at: [...at, field],
        part: 'key',
        text: unknownField(field, Object.keys(properties)),
        nameHidden: !USUAL_FIELD_NAME.test(field),
      };
    }
    case 'required':
    case 'dependencies':
      return value('is missing. Add it.', [...at, String(error.params['missingProperty'])]);
    case 'uniqueItems':
      return value('is listed twice. Remove one of them.', [
        ...at,
        Math.max(Number(error.params['i']), Number(error.params['j'])),
      ]);
    case 'maxItems':
    case 'maxProperties':
      return value(`has more than ${String(error.params['limit'])} entries. Remove some.`);
    case 'minItems':
      return value('is empty. Add an entry.');
    default:
      if (error.data === null && at.length === 0) return value('is empty. Write upstreams: on the first line.');
      if (error.data === null) return value('has no value. Set one, or remove the field.');
      return value(errorMessage ?? 'has an invalid value. Correct it.');
  }
}

function unknownField(field: string, known: readonly string[]): string {
  const nearest = nearestName(field, known);
  return nearest === null
    ? `is an unknown field. Remove it, or use one of: ${known.join(', ')}.`
    : `is an unknown field. Did you mean ${nearest}?`;
}

const pathOf = (pointer: string): Path =>
  pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
