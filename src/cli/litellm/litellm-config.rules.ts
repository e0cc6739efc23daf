import { parse } from 'yaml';
import { fieldsOf, isEmpty, listOf, numberOf, objectsOf, textOf, textsOf, type Fields } from './fields.rules.js';
import type { Findings } from './finding.js';
import { DESCRIPTIVE, PARAM_REASONS, REASONS } from './not-imported-fields.data.js';

/** One entry of `model_list`: a model of one provider account, under a name that clients send. */
export interface Deployment {
  readonly place: string;
  readonly group: string;
  /** The model with LiteLLM's prefix for the provider, such as `azure/gpt-4o`. */
  readonly model: string;
  readonly params: Fields;
  readonly accessGroups: readonly string[];
}

export interface LitellmConfig {
  readonly deployments: readonly Deployment[];
  /** Additional names of groups. */
  readonly groupAliases: ReadonlyMap<string, string>;
  /** The values of `credential_list`, by name. */
  readonly credentials: ReadonlyMap<string, Fields>;
  readonly strategy: string;
  readonly contextFallbacks: ReadonlyMap<string, string>;
  readonly contentFallbacks: ReadonlyMap<string, string>;
}

/** The content is not a configuration of LiteLLM. The message completes "The file …". */
export class NotLitellmConfig extends Error {}

/**
 * Reads `config.yaml`. LiteLLM reads YAML 1.1, in which numbers can have underscores.
 * @throws NotLitellmConfig
 */
export function parseConfig(text: string): Fields {
  let content: unknown;
  try {
    content = parse(text, { version: '1.1', maxAliasCount: 100 });
  } catch (error) {
    throw new NotLitellmConfig(`is not valid YAML: ${(error as Error).message.split('\n', 1)[0]}`);
  }
  const fields = fieldsOf(content);
  if (fields === null) throw new NotLitellmConfig('is not a LiteLLM configuration, which is an object with model_list');
  return fields;
}

/** Where a field that the import reads is handled. All other fields are reported. */
const READ: ReadonlySet<string> = new Set([
  'model_list',
  'credential_list',
  'include',
  'router_settings.routing_strategy',
  'router_settings.model_group_alias',
  'router_settings.fallbacks',
  'router_settings.context_window_fallbacks',
  'router_settings.content_policy_fallbacks',
  'litellm_settings.fallbacks',
  'litellm_settings.context_window_fallbacks',
  'litellm_settings.content_policy_fallbacks',
]);
const SECTIONS: readonly string[] = ['router_settings', 'litellm_settings', 'general_settings'];
const NO_COUNTERPART = 'The gateway has no counterpart.';

/** @param files the content of the configuration, and then of the files that it includes */
export function readConfig(files: readonly Fields[], findings: Findings): LitellmConfig {
  for (const file of files) reportUnread(file, findings);
  const sections = SECTIONS.slice(0, 2).flatMap((name) => objectsOf(files.map((file) => file[name])));
  const [router] = objectsOf(files.map((file) => file['router_settings']));
  reportFallbacks(sections, findings);
  return {
    deployments: files
      .flatMap((file) => listOf(file['model_list']))
      .flatMap((entry, i) => deployment(entry, i, findings)),
    groupAliases: groupAliases(router ?? {}),
    credentials: new Map(
      files
        .flatMap((file) => listOf(file['credential_list']))
        .flatMap((entry) => {
          const name = textOf(fieldsOf(entry)?.['credential_name']);
          return name === null ? [] : [[name, fieldsOf(fieldsOf(entry)?.['credential_values']) ?? {}] as const];
        }),
    ),
    strategy: textOf(router?.['routing_strategy']) ?? 'simple-shuffle',
    contextFallbacks: fallbacks(sections, 'context_window_fallbacks', findings),
    contentFallbacks: fallbacks(sections, 'content_policy_fallbacks', findings),
  };
}

function reportUnread(file: Fields, findings: Findings): void {
  for (const [name, value] of Object.entries(file)) {
    const section = SECTIONS.includes(name) ? fieldsOf(value) : null;
    const places =
      section === null
        ? [[name, value] as const]
        : Object.entries(section).map(([key, one]) => [`${name}.${key}`, one] as const);
    for (const [place, one] of places)
      if (!READ.has(place) && !isEmpty(one)) findings.skipped(place, REASONS[place] ?? NO_COUNTERPART);
  }
}

const READ_PARAMS: ReadonlySet<string> = new Set([
  'model',
  'api_key',
  'api_base',
  'base_url',
  'organization',
  'extra_headers',
  'headers',
  'custom_llm_provider',
  'litellm_credential_name',
  'weight',
  'rpm',
  'tpm',
  'order',
]);

function deployment(entry: unknown, index: number, findings: Findings): Deployment[] {
  const fields = fieldsOf(entry) ?? {};
  const params = fieldsOf(fields['litellm_params']);
  const [group, model] = [textOf(fields['model_name']), textOf(params?.['model'])];
  const place = `model_list[${index}]${group === null ? '' : ` "${group}"`}`;
  if (group === null || params === null || model === null) {
    findings.skipped(place, 'It has no model_name or no litellm_params.model.');
    return [];
  }
  const info = fieldsOf(fields['model_info']) ?? {};
  for (const [name, value] of Object.entries({ ...info, ...params })) {
    if (READ_PARAMS.has(name) || DESCRIPTIVE.has(name) || name.startsWith('supports_') || isEmpty(value)) continue;
    // The gateway uses the current API of Azure, which needs no version.
    if (name === 'api_version' || name.startsWith('aws_') || name.startsWith('vertex_')) continue;
    findings.skipped(`${place} ${name}`, PARAM_REASONS[name] ?? NO_COUNTERPART);
  }
  return [{ place, group, model, params, accessGroups: textsOf(info['access_groups']) }];
}

function groupAliases(router: Fields): ReadonlyMap<string, string> {
  const entries = Object.entries(fieldsOf(router['model_group_alias']) ?? {});
  return new Map(
    entries.flatMap(([alias, target]) => {
      const group = textOf(target) ?? textOf(fieldsOf(target)?.['model']);
      return group === null ? [] : [[alias, group] as const];
    }),
  );
}

function fallbacks(sections: readonly Fields[], name: string, findings: Findings): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const [group, targets] of sections.flatMap((section) => fallbackEntries(section[name]))) {
    const [first, ...rest] = targets;
    if (first === undefined || found.has(group)) continue;
    found.set(group, first);
    if (rest.length > 0) findings.changed(`${name} "${group}"`, `Only the first fallback model, ${first}, is used.`);
  }
  return found;
}

const fallbackEntries = (value: unknown): [string, string[]][] =>
  listOf(value).flatMap((entry) =>
    Object.entries(fieldsOf(entry) ?? {}).map(([group, to]): [string, string[]] => [group, textsOf(to)]),
  );

function reportFallbacks(sections: readonly Fields[], findings: Findings): void {
  for (const [group, targets] of sections.flatMap((section) => fallbackEntries(section['fallbacks'])))
    findings.skipped(
      `fallbacks "${group}"`,
      `After an outage, a request moves to another upstream with the same model, and never to ${targets.join(', ')}. Add an alias for "${group}" to an upstream of the other model to allow that.`,
    );
}

/** The share of a deployment as LiteLLM's default strategy computes it. */
export function shareOf({ params }: Deployment): number | null {
  return numberOf(params['weight']) ?? numberOf(params['rpm']) ?? numberOf(params['tpm']);
}
