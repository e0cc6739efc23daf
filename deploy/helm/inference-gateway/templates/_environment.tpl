{{- /*
Maps each secret variable to its Secret and key, as YAML: `NAME: {name, key, optional}`. Takes (list root component). The
migration gets only the database URL, so that it cannot read keys, and the gateway cannot use the role of the migration.
*/ -}}
{{- define "gateway.secretKeys" -}}
{{- $root := index . 0 -}}
{{- $known := get ($root.Files.Get "files/settings.json" | fromJson) "secrets" -}}
{{- $secret := $root.Values.secret.existingSecret -}}
{{- if eq (index . 1) "migrate" -}}
DATABASE_URL: { name: {{ $root.Values.migrations.existingSecret | default $secret }}, key: DATABASE_URL }
{{- else -}}
{{- range $name := $known.mandatory }}
{{ $name }}: { name: {{ $secret }}, key: {{ $name }} }
{{- end }}
{{- range $name := $known.optional }}
{{ $name }}: { name: {{ $secret }}, key: {{ $name }}, optional: true }
{{- end }}
{{- end -}}
{{- end -}}

{{- /* Variables of a component, as YAML: those of the chart, then settings, secrets, and extraEnv. Takes (list root component). */ -}}
{{- define "gateway.environment" -}}
{{- $root := index . 0 -}}
{{- $component := index . 1 -}}
- name: NODE_ENV
  value: production
{{- if eq $component "gateway" }}
{{ include "gateway.serverVariables" $root }}
{{- end }}
{{- range $name, $value := $root.Values.settings }}
{{- /* The migration needs only settings of the database. */ -}}
{{- if and (not (kindIs "invalid" $value)) (or (eq $component "gateway") (regexMatch "^(PG|GW_MIGRATION_)" $name)) }}
- name: {{ $name }}
  value: {{ include "gateway.setting" (list $root $name) | quote }}
{{- end }}
{{- end }}
{{- range $name, $reference := include "gateway.secretKeys" . | fromYaml }}
- name: {{ $name }}
  valueFrom:
    secretKeyRef: {{- toYaml $reference | nindent 6 }}
{{- end }}
{{- with $root.Values.extraEnv }}
{{ toYaml . }}
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
{{- end -}}

{{- define "gateway.volumeMounts" -}}
- name: tmp
  mountPath: /tmp
{{- if .Values.modelRegistry.existingConfigMap }}
- name: model-registry
  mountPath: /etc/gateway
  readOnly: true
{{- end }}
{{- with .Values.extraVolumeMounts }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{- define "gateway.volumes" -}}
- name: tmp
  emptyDir:
    sizeLimit: 64Mi
{{- if .Values.modelRegistry.existingConfigMap }}
- name: model-registry
  configMap:
    name: {{ .Values.modelRegistry.existingConfigMap }}
    items:
      - key: {{ .Values.modelRegistry.key }}
        path: models.json
{{- end }}
{{- with .Values.extraVolumes }}
{{ toYaml . }}
{{- end }}
{{- end -}}
