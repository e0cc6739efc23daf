{{- /*
Converts a setting's value to an environment variable. YAML numbers are floats in Helm, and 9500000 must not become 9.5e+06.
Takes (dict "name" "value" "onOff").
*/ -}}
{{- define "gateway.settingText" -}}
{{- if kindIs "bool" .value -}}
{{- if has .name .onOff }}{{ ternary "on" "off" .value }}{{ else }}{{ .value }}{{ end -}}
{{- else if kindIs "float64" .value -}}
{{- if eq (floor .value) .value }}{{ int64 .value }}{{ else }}{{ regexReplaceAll "0+$" (printf "%.12f" .value) "" }}{{ end -}}
{{- else -}}
{{- .value -}}
{{- end -}}
{{- end -}}

{{- /* The container's variables: those of the chart, then settings, secrets, and extraEnv. */ -}}
{{- define "gateway.environment" -}}
{{- $known := .Files.Get "files/settings.json" | fromJson -}}
- name: NODE_ENV
  value: production
{{- if not (get .Values.settings "HOST") }}
- name: HOST
  value: 0.0.0.0
{{- end }}
- name: PORT
  value: '8080'
- name: GW_MIGRATE
  value: {{ ternary "off" "on" .Values.migrations.job | quote }}
{{- if .Values.metrics.enabled }}
- name: GW_METRICS_HOST
  value: {{ get .Values.settings "HOST" | default "0.0.0.0" | quote }}
- name: GW_METRICS_PORT
  value: '9464'
{{- end }}
{{- if .Values.modelRegistry.existingConfigMap }}
- name: GW_MODEL_REGISTRY
  value: /etc/gateway/models.json
{{- end }}
{{- range $name, $value := .Values.settings }}
{{- if not (kindIs "invalid" $value) }}
- name: {{ $name }}
  value: {{ include "gateway.settingText" (dict "name" $name "value" $value "onOff" $known.onOff) | quote }}
{{- end }}
{{- end }}
{{- $secret := .Values.secret.existingSecret }}
{{- range $name := $known.secrets.mandatory }}
- name: {{ $name }}
  valueFrom:
    secretKeyRef:
      name: {{ $secret }}
      key: {{ $name }}
{{- end }}
{{- range $name := $known.secrets.optional }}
- name: {{ $name }}
  valueFrom:
    secretKeyRef:
      name: {{ $secret }}
      key: {{ $name }}
      optional: true
{{- end }}
{{- with .Values.extraEnv }}
{{ toYaml . }}
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
