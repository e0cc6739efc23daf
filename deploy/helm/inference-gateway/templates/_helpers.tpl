{{- /* A name above 40 characters is cut, with a hash of the whole name so that two long names stay different. */ -}}
{{- define "gateway.fullname" -}}
{{- $name := .Values.fullnameOverride -}}
{{- if not $name -}}
{{- $name = contains .Chart.Name .Release.Name | ternary .Release.Name (printf "%s-%s" .Release.Name .Chart.Name) -}}
{{- end -}}
{{- if gt (len $name) 40 -}}
{{- printf "%s-%s" ($name | trunc 31 | trimSuffix "-") (sha256sum $name | trunc 8) -}}
{{- else -}}
{{- $name -}}
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

{{- /* Selects the pods of one component: `gateway`, `migrate`, or `test`. Takes (list root component). */ -}}
{{- define "gateway.componentLabels" -}}
{{ include "gateway.instanceLabels" (index . 0) }}
app.kubernetes.io/component: {{ index . 1 }}
{{- end -}}

{{- define "gateway.selectorLabels" -}}
{{ include "gateway.componentLabels" (list . "gateway") }}
{{- end -}}

{{- define "gateway.image" -}}
{{- $tag := include "gateway.text" (.Values.image.tag | default .Chart.AppVersion) -}}
{{- printf "%s%s%s" .Values.image.repository (ternary "@" ":" (hasPrefix "sha256:" $tag)) $tag -}}
{{- end -}}

{{- define "gateway.serviceAccountName" -}}
{{- .Values.serviceAccount.name | default (.Values.serviceAccount.create | ternary (include "gateway.fullname" .) "default") -}}
{{- end -}}

{{- define "gateway.migrationServiceAccountName" -}}
{{- $account := .Values.migrations.serviceAccount -}}
{{- $account.name | default ($account.create | ternary (printf "%s-migrate" (include "gateway.fullname" .)) "default") -}}
{{- end -}}

{{- /*
Labels, annotations, or a node selector as a YAML map of strings. `helm --set` passes true and 1 as a boolean and a number, which
Kubernetes rejects there.
*/ -}}
{{- define "gateway.strings" -}}
{{- $texts := dict -}}
{{- range $name, $value := . -}}
{{- if not (kindIs "invalid" $value) -}}
{{- $_ := set $texts $name (include "gateway.text" $value) -}}
{{- end -}}
{{- end -}}
{{- toYaml $texts -}}
{{- end -}}

{{- /* A scalar as text. YAML numbers are floats in Helm, and 9500000 must not become 9.5e+06. */ -}}
{{- define "gateway.text" -}}
{{- if kindIs "float64" . -}}
{{- if eq (floor .) . }}{{ int64 . }}{{ else }}{{ regexReplaceAll "0+$" (printf "%.12f" .) "" }}{{ end -}}
{{- else -}}
{{- . -}}
{{- end -}}
{{- end -}}

{{- /* A setting's value as written in the environment. Takes (list root name). Empty: not set. */ -}}
{{- define "gateway.setting" -}}
{{- $name := index . 1 -}}
{{- $value := get ((index . 0).Values.settings | default dict) $name -}}
{{- if kindIs "bool" $value -}}
{{- $onOff := get ((index . 0).Files.Get "files/settings.json" | fromJson) "onOff" -}}
{{- if has $name $onOff }}{{ ternary "on" "off" $value }}{{ else }}{{ $value }}{{ end -}}
{{- else if not (kindIs "invalid" $value) -}}
{{- include "gateway.text" $value -}}
{{- end -}}
{{- end -}}

{{- /* A numeric setting: the configured value or the production default. Takes (list root name). */ -}}
{{- define "gateway.number" -}}
{{- $known := get ((index . 0).Files.Get "files/settings.json" | fromJson) "numbers" -}}
{{- include "gateway.setting" . | default (get $known (index . 1) | int64 | toString) -}}
{{- end -}}

{{- /* Drain delay, grace period, and 15 s for final writes, so that the gateway exits before the kubelet kills it. */ -}}
{{- define "gateway.terminationGracePeriodSeconds" -}}
{{- $drain := include "gateway.number" (list . "GW_DRAIN_DELAY_SECONDS") | int64 -}}
{{- $grace := include "gateway.number" (list . "GW_SHUTDOWN_GRACE_SECONDS") | int64 -}}
{{- add $drain $grace 15 -}}
{{- end -}}

{{- /* The longest upstream silence that the gateway tolerates, plus a minute, so that no proxy times out first. */ -}}
{{- define "gateway.silenceSeconds" -}}
{{- $connect := include "gateway.number" (list . "GW_UPSTREAM_CONNECT_TIMEOUT_MS") | int64 -}}
{{- $head := include "gateway.number" (list . "GW_UPSTREAM_HEAD_TIMEOUT_MS") | int64 -}}
{{- $idle := include "gateway.number" (list . "GW_UPSTREAM_IDLE_TIMEOUT_MS") | int64 -}}
{{- $several := include "gateway.upstreamsSilence" (dict "root" . "connect" $connect "head" $head "idle" $idle) | int64 -}}
{{- add (div (.Values.upstreams.file | empty | ternary (max $head $idle) $several) 1000) 60 -}}
{{- end -}}

{{- /*
Fields that gateway, migration, and test pods share. Migration and test pods take only the node affinity, because pod
anti-affinity between gateways could leave no node for them. Takes (list root component).
*/ -}}
{{- define "gateway.podFields" -}}
{{- $root := index . 0 -}}
automountServiceAccountToken: false
# A Service named `gw` would otherwise add variables such as GW_PORT to the environment.
enableServiceLinks: false
securityContext: {{- toYaml $root.Values.podSecurityContext | nindent 2 }}
{{- with $root.Values.imagePullSecrets }}
imagePullSecrets: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with $root.Values.nodeSelector }}
nodeSelector: {{- include "gateway.strings" . | nindent 2 }}
{{- end }}
{{- $affinity := $root.Values.affinity | default dict -}}
{{- if ne (index . 1) "gateway" }}{{ $affinity = pick $affinity "nodeAffinity" }}{{ end -}}
{{- with $affinity }}
affinity: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with $root.Values.tolerations }}
tolerations: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with $root.Values.priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- with $root.Values.hostAliases }}
hostAliases: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with $root.Values.dnsPolicy }}
dnsPolicy: {{ . }}
{{- end }}
{{- with $root.Values.dnsConfig }}
dnsConfig: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{- /*
Annotations of what the migration Job needs. They run at pre-delete too: Helm does not own hooks, so this is what removes them with
the release.
*/ -}}
{{- define "gateway.migrationHook" -}}
helm.sh/hook: pre-install,pre-upgrade,pre-delete
helm.sh/hook-weight: '-10'
helm.sh/hook-delete-policy: before-hook-creation,hook-succeeded
{{- end -}}

{{- /* Rules of the gateway pods for the pods of a component. Takes (list root component). */ -}}
{{- define "gateway.networkPolicySpec" -}}
{{- $root := index . 0 -}}
{{- $policy := $root.Values.networkPolicy -}}
podSelector:
  matchLabels: {{- include "gateway.componentLabels" . | nindent 4 }}
policyTypes: [Ingress{{ if $policy.restrictEgress }}, Egress{{ end }}]
ingress:
  - ports:
      - port: http
    {{- with $policy.from }}
    from:
      {{- toYaml . | nindent 6 }}
      - podSelector:
          matchLabels: {{- include "gateway.componentLabels" (list $root "test") | nindent 12 }}
    {{- end }}
  {{- /* A rule without peers would let everyone in. */}}
  {{- if and $root.Values.metrics.enabled $policy.metricsFrom }}
  - ports:
      - port: metrics
    from: {{- toYaml $policy.metricsFrom | nindent 6 }}
  {{- end }}
{{- if $policy.restrictEgress }}
egress: {{- include "gateway.egress" $root | nindent 2 }}
{{- end }}
{{- end -}}

{{- /* The pods of a DNS service listen on 53, and on 5353 in OpenShift. */ -}}
{{- define "gateway.dnsEgress" -}}
- ports:
    - { port: 53, protocol: UDP }
    - { port: 53, protocol: TCP }
    - { port: 5353, protocol: UDP }
    - { port: 5353, protocol: TCP }
{{- end -}}

{{- /* Egress rules under networkPolicy.restrictEgress. */ -}}
{{- define "gateway.egress" -}}
{{ include "gateway.dnsEgress" . }}
{{- with .Values.networkPolicy.egressPorts }}
- ports:
    {{- range . }}
    - port: {{ . }}
    {{- end }}
{{- end }}
{{- with .Values.networkPolicy.egress }}
{{ toYaml . }}
{{- end }}
{{- end -}}
