{{- /* Variables of a component, as YAML: those of the chart, then settings, secrets, and extraEnv. Takes (list root component). */ -}}
{{- define "gateway.environment" -}}
{{- $root := index . 0 -}}
{{- $component := index . 1 -}}
{{- $own := eq $component "migrate" | ternary (include "gateway.entries" $root.Values.migrations.secretKeys | fromYaml) dict -}}
{{- $migration := include "gateway.migrationHasOwnRole" $root | eq "true" | ternary "^(PG|GW_MIGRATION_)" "^(PG|GW_MIGRATION_|GW_DATABASE_PASSWORD_)" -}}
- name: NODE_ENV
  value: production
{{- if eq $component "gateway" }}
{{ include "gateway.serverVariables" $root }}
{{- end }}
{{- range $name, $value := $root.Values.settings }}
{{- /* The migration needs only settings of the database, unless it has its own. */ -}}
{{- if and (not (kindIs "invalid" $value)) (not (hasKey $own $name)) (or (eq $component "gateway") (regexMatch $migration $name)) }}
- name: {{ $name }}
  value: {{ include "gateway.setting" (list $root $name) | quote }}
{{- end }}
{{- end }}
{{- range $name, $reference := include "gateway.secretKeys" . | fromYaml }}
{{- if $reference.variable }}
- name: {{ $reference.variable }}
  value: {{ include "gateway.secretPath" . }}/{{ $name }}
{{- else }}
- name: {{ $name }}
  valueFrom:
    secretKeyRef: {{- toYaml $reference | nindent 6 }}
{{- end }}
{{- end }}
{{- range $root.Values.extraEnv }}
{{- /* The migration gets no Secret of the gateway, except for the database. */ -}}
{{- $secret := or (dig "valueFrom" "secretKeyRef" nil .) (dig "valueFrom" "fileKeyRef" nil .) }}
{{- if or (eq $component "gateway") (not $secret) (regexMatch "^(PG|DATABASE_URL|GW_MIGRATION_|GW_DATABASE_PASSWORD_)" .name) }}
{{ list (hasKey . "value" | ternary (merge (dict "value" (include "gateway.text" .value)) .) .) | toYaml }}
{{- end }}
{{- end }}
{{- end -}}

{{- define "gateway.serverVariables" -}}
{{- $host := include "gateway.setting" (list . "HOST") | default (has "IPv6" .Values.service.ipFamilies | ternary "::" "0.0.0.0") -}}
{{- if not (include "gateway.setting" (list . "HOST")) -}}
- name: HOST
  value: {{ $host | quote }}
{{ end -}}
- name: PORT
  value: '8080'
- name: GW_MIGRATE
  value: {{ ternary "off" "on" .Values.migrations.job | quote }}
{{- if .Values.metrics.enabled }}
- name: GW_METRICS_HOST
  value: {{ $host | quote }}
- name: GW_METRICS_PORT
  value: '9464'
{{- end }}
{{- if .Values.modelRegistry.existingConfigMap }}
- name: GW_MODEL_REGISTRY
  value: /etc/gateway/models.json
{{- end }}
{{- if include "gateway.upstreamsMounted" . }}
- name: GW_UPSTREAMS
  value: {{ include "gateway.upstreamsPath" . }}/upstreams.yaml
{{- end }}
{{- end -}}

{{- /* Takes (list root component). */ -}}
{{- define "gateway.volumeMounts" -}}
{{- $root := index . 0 -}}
- name: tmp
  mountPath: /tmp
{{- if include "gateway.secretSources" . }}
- name: {{ index . 1 }}-secrets
  mountPath: {{ include "gateway.secretPath" . }}
  readOnly: true
{{- end }}
{{- if $root.Values.modelRegistry.existingConfigMap }}
- name: model-registry
  mountPath: /etc/gateway
  readOnly: true
{{- end }}
{{- if and (eq (index . 1) "gateway") (include "gateway.upstreamsSources" (list $root "")) }}
- name: upstreams
  mountPath: {{ include "gateway.upstreamsPath" . }}
  readOnly: true
{{- end }}
{{- with $root.Values.extraVolumeMounts }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{- /* Volumes of a pod with the containers of these components. Takes (list root component…). */ -}}
{{- define "gateway.volumes" -}}
{{- $root := first . -}}
- name: tmp
  emptyDir:
    sizeLimit: 64Mi
{{- range $component := rest . }}
{{- with include "gateway.secretSources" (list $root $component) }}
- name: {{ $component }}-secrets
  projected:
    sources: {{- . | nindent 6 }}
{{- end }}
{{- end }}
{{- with $root.Values.modelRegistry }}
{{- if .existingConfigMap }}
- name: model-registry
  configMap:
    name: {{ .existingConfigMap }}
    items:
      - key: {{ .key }}
        path: models.json
{{- end }}
{{- end }}
{{- /* The Job runs before the ConfigMap of the release exists, so it has a copy. */ -}}
{{- $name := has "migrate" (rest .) | ternary (printf "%s-migrate" (include "gateway.fullname" $root)) (include "gateway.upstreamsName" $root) -}}
{{- with include "gateway.upstreamsSources" (list $root $name) }}
- name: upstreams
  projected:
    sources: {{- . | nindent 6 }}
{{- end }}
{{- with $root.Values.extraVolumes }}
{{ toYaml . }}
{{- end }}
{{- end -}}
