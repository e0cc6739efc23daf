{{- /* Directory of mounted secrets. Each file is named as its setting. */ -}}
{{- define "gateway.secretPath" -}}/etc/gateway-secrets{{- end -}}

{{- /* Entries of a map that are not null, as YAML. */ -}}
{{- define "gateway.entries" -}}
{{- $kept := dict -}}
{{- range $name, $value := . -}}
{{- if not (kindIs "invalid" $value) }}{{ $_ := set $kept $name $value }}{{ end -}}
{{- end -}}
{{- toYaml $kept -}}
{{- end -}}

{{- /* `true` if migrations have a database role of their own, so that the password of the gateway's role does not fit. */ -}}
{{- define "gateway.migrationHasOwnRole" -}}
{{- $own := include "gateway.entries" .Values.migrations.secretKeys | fromYaml -}}
{{- if or .Values.migrations.existingSecret (hasKey $own "DATABASE_URL") (hasKey $own "PGUSER") (hasKey $own "PGPASSWORD") }}true{{ end -}}
{{- end -}}

{{- /* Settings that a component takes from explicitly named keys: `NAME: {name, key}`. Takes (list root component). */ -}}
{{- define "gateway.mappedKeys" -}}
{{- $values := (index . 0).Values -}}
{{- $keys := include "gateway.entries" $values.secret.keys | fromYaml -}}
{{- if eq (index . 1) "gateway" -}}
{{- toYaml $keys -}}
{{- else -}}
{{- $own := include "gateway.entries" $values.migrations.secretKeys | fromYaml -}}
{{- $usable := dict -}}
{{- range $name, $reference := $keys -}}
{{- /* A URL of the gateway must not win over a host of the migrations, and the reverse. */ -}}
{{- $replaced := or (and (eq $name "DATABASE_URL") (or $values.migrations.existingSecret (hasKey $own "PGHOST")))
      (and (hasKey $own "DATABASE_URL") (not (hasPrefix "PGSSL" $name)))
      (and (hasPrefix "GW_DATABASE_PASSWORD_" $name) (include "gateway.migrationHasOwnRole" (index . 0))) -}}
{{- if and (regexMatch "^(DATABASE_URL$|PG|GW_DATABASE_PASSWORD_)" $name) (not $replaced) }}{{ $_ := set $usable $name $reference }}{{ end -}}
{{- end -}}
{{- toYaml (merge $own $usable) -}}
{{- end -}}
{{- end -}}

{{- /* Names of variables that a component does not take from the chart's Secrets, as `NAME: true`. Takes (list root component). */ -}}
{{- define "gateway.plainNames" -}}
{{- $root := index . 0 -}}
{{- $names := dict -}}
{{- range $name, $value := include "gateway.entries" $root.Values.settings | fromYaml }}{{ $_ := set $names $name true }}{{ end -}}
{{- range $root.Values.extraEnv }}{{ $_ := set $names .name true }}{{ end -}}
{{- toYaml $names -}}
{{- end -}}

{{- /* `true` if PGHOST and the other PG… settings replace DATABASE_URL. Takes (list root component). */ -}}
{{- define "gateway.databaseParts" -}}
{{- $mapped := include "gateway.mappedKeys" . | fromYaml -}}
{{- $plain := include "gateway.plainNames" . | fromYaml -}}
{{- if and (or (hasKey $mapped "PGHOST") (hasKey $plain "PGHOST")) (not (hasKey $mapped "DATABASE_URL")) }}true{{ end -}}
{{- end -}}

{{- /*
Maps each setting from a Secret to its source, as YAML: `NAME: {name, key, optional, variable}`. With `variable`, the key is
mounted as a file, and this variable has its path. Takes (list root component). The migration gets only what the database needs,
so that it cannot read keys, and the gateway cannot use the role of the migration.
*/ -}}
{{- define "gateway.secretKeys" -}}
{{- $root := index . 0 -}}
{{- $component := index . 1 -}}
{{- $values := $root.Values -}}
{{- $known := $root.Files.Get "files/settings.json" | fromJson -}}
{{- $parts := include "gateway.databaseParts" . -}}
{{- $plain := include "gateway.plainNames" . | fromYaml -}}
{{- $found := include "gateway.mappedKeys" . | fromYaml -}}
{{- range $name := concat $known.secrets.mandatory $known.secrets.optional -}}
{{- $isUrl := eq $name "DATABASE_URL" -}}
{{- $wanted := or (eq $component "gateway") $isUrl (and $parts (eq $name "PGPASSWORD")) -}}
{{- $secret := $values.secret.existingSecret -}}
{{- if and $isUrl (eq $component "migrate") }}{{ $secret = $values.migrations.existingSecret | default $secret }}{{ end -}}
{{- $explicit := ne $secret $values.secret.existingSecret -}}
{{- /* A file that something else provides, such as a CSI driver, replaces the key of the Secret. */ -}}
{{- $elsewhere := and (hasKey $plain (printf "%s_FILE" $name)) (not $explicit) -}}
{{- /* The same Secret stays usable after a change to several upstreams. */ -}}
{{- $replaced := and (include "gateway.severalUpstreams" $root) (regexMatch (include "gateway.singleAccount" $root) $name) -}}
{{- if and $wanted (not (hasKey $found $name)) (not $elsewhere) (not (and $isUrl $parts)) (not $replaced) -}}
{{- $reference := dict "name" $secret "key" $name -}}
{{- if has $name $known.secrets.optional }}{{ $_ := set $reference "optional" true }}{{ end -}}
{{- $_ := set $found $name $reference -}}
{{- end -}}
{{- end -}}
{{- range $name, $reference := $found -}}
{{- if has $name $known.files -}}
{{- $_ := set $reference "variable" $name -}}
{{- else if and (eq $values.secret.mount "files") (has $name (concat $known.secrets.mandatory $known.secrets.optional)) (not $reference.optional) -}}
{{- /* An optional key stays a variable, because a variable for a missing file would stop the pod. */ -}}
{{- $_ := set $reference "variable" (printf "%s_FILE" $name) -}}
{{- end -}}
{{- end -}}
{{- toYaml $found -}}
{{- end -}}

{{- /* Sources of the volume with the mounted secrets of a component. Empty: there are none. Takes (list root component). */ -}}
{{- define "gateway.secretSources" -}}
{{- range $name, $reference := include "gateway.secretKeys" . | fromYaml }}
{{- if $reference.variable }}
- secret:
    name: {{ $reference.name }}
    items: [{ key: {{ $reference.key | quote }}, path: {{ $name }} }]
{{- end }}
{{- end }}
{{- end -}}

{{- /* Contradictions between the sources of the database connection, one per line. */ -}}
{{- define "gateway.sourceFaults" -}}
{{- $components := .Values.migrations.job | ternary (list "gateway" "migrate") (list "gateway") -}}
{{- range $component := $components }}
{{- $takes := list $ $component }}
{{- $names := merge (include "gateway.mappedKeys" $takes | fromYaml) (include "gateway.plainNames" $takes | fromYaml) }}
{{- if and (hasKey $names "PGHOST") (not (hasKey $names "PGDATABASE")) }}
PGHOST is set without PGDATABASE. Set both in settings or secret.keys, or only DATABASE_URL.
{{- end }}
{{- if and (hasKey $names "PGDATABASE") (not (hasKey $names "PGHOST")) }}
PGDATABASE has no effect without PGHOST. Set both in settings or secret.keys, or only DATABASE_URL.
{{- end }}
{{- $variables := dict }}
{{- range include "gateway.environment" $takes | fromYamlArray }}{{ $_ := set $variables .name true }}{{ end }}
{{- range $name, $_ := $variables }}
{{- if hasKey $variables (printf "%s_FILE" $name) }}
{{ $name }} and {{ $name }}_FILE are both set for the {{ $component }} container. Remove one from extraEnv, secret.keys, or migrations.
{{- end }}
{{- end }}
{{- end }}
{{- if and (hasKey (include "gateway.entries" .Values.secret.keys | fromYaml) "DATABASE_URL") (or (hasKey (include "gateway.entries" .Values.secret.keys | fromYaml) "PGHOST") (hasKey (include "gateway.plainNames" (list . "gateway") | fromYaml) "PGHOST")) }}
Both DATABASE_URL and PGHOST are set, but only the URL would be used. Remove one from settings, secret.keys, or extraEnv.
{{- end }}
{{- if and .Values.migrations.existingSecret (or (include "gateway.databaseParts" (list . "migrate")) (hasKey (include "gateway.entries" .Values.migrations.secretKeys | fromYaml) "DATABASE_URL")) }}
migrations.existingSecret has no effect, because the migration does not take DATABASE_URL from it. Use only migrations.secretKeys.
{{- end }}
{{- end -}}
