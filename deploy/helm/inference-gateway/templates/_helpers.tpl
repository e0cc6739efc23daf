{{- define "gateway.fullname" -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 40 | trimSuffix "-" -}}
{{- else if contains .Chart.Name .Release.Name -}}
{{- .Release.Name | trunc 40 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name .Chart.Name | trunc 40 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{- define "gateway.labels" -}}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{ include "gateway.instanceLabels" . }}
{{- end -}}

{{- define "gateway.instanceLabels" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- /* Selects the serving pods. A migration pod has the instance labels but another component. */ -}}
{{- define "gateway.selectorLabels" -}}
{{ include "gateway.instanceLabels" . }}
app.kubernetes.io/component: gateway
{{- end -}}

{{- define "gateway.image" -}}
{{- $tag := .Values.image.tag | default .Chart.AppVersion -}}
{{- printf "%s%s%s" .Values.image.repository (ternary "@" ":" (hasPrefix "sha256:" $tag)) $tag -}}
{{- end -}}

{{- /* A numeric setting: the configured value or the production default. Takes (list root name). */ -}}
{{- define "gateway.number" -}}
{{- $root := index . 0 -}}
{{- $name := index . 1 -}}
{{- $known := get ($root.Files.Get "files/settings.json" | fromJson) "numbers" -}}
{{- get (hasKey $root.Values.settings $name | ternary $root.Values.settings $known) $name | int64 -}}
{{- end -}}

{{- /* Drain delay, grace period, and 15 s for final writes, so that the gateway exits before the kubelet kills it. */ -}}
{{- define "gateway.terminationGracePeriodSeconds" -}}
{{- $drain := include "gateway.number" (list . "GW_DRAIN_DELAY_SECONDS") | int64 -}}
{{- $grace := include "gateway.number" (list . "GW_SHUTDOWN_GRACE_SECONDS") | int64 -}}
{{- add $drain $grace 15 -}}
{{- end -}}

{{- /* The longest upstream silence that the gateway tolerates, plus a minute, so that no proxy times out first. */ -}}
{{- define "gateway.silenceSeconds" -}}
{{- $head := include "gateway.number" (list . "GW_UPSTREAM_HEAD_TIMEOUT_MS") | int64 -}}
{{- $idle := include "gateway.number" (list . "GW_UPSTREAM_IDLE_TIMEOUT_MS") | int64 -}}
{{- add (div (max $head $idle) 1000) 60 -}}
{{- end -}}
