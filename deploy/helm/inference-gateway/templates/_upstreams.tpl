{{- /* Directory of the upstreams file and of the secrets that it names, so that its relative paths work anywhere. */ -}}
{{- define "gateway.upstreamsPath" -}}/etc/gateway-upstreams{{- end -}}

{{- /* `true` if the chart mounts an upstreams file. */ -}}
{{- define "gateway.upstreamsMounted" -}}
{{- if or .Values.upstreams.file .Values.upstreams.existingConfigMap }}true{{ end -}}
{{- end -}}

{{- /* `true` if the gateway reads an upstreams file, from the chart or from elsewhere. */ -}}
{{- define "gateway.severalUpstreams" -}}
{{- $elsewhere := merge (include "gateway.plainNames" (list . "gateway") | fromYaml) (include "gateway.mappedKeys" (list . "gateway") | fromYaml) -}}
{{- if or (include "gateway.upstreamsMounted" .) (hasKey $elsewhere "GW_UPSTREAMS") }}true{{ end -}}
{{- end -}}

{{- /* Pattern of the settings of a single account. A gateway with an upstreams file does not start if one of them is set. */ -}}
{{- define "gateway.singleAccount" -}}^GW_UPSTREAM_(MESSAGES_)?(BASE_URL|API_KEY|CA_FILE|CLIENT_CERT_FILE|CLIENT_KEY_FILE)(_FILE)?${{- end -}}

{{- /* The file. YAML in values reads a bare `off` as false. */ -}}
{{- define "gateway.upstreamsText" -}}
{{- $file := deepCopy .Values.upstreams.file -}}
{{- range $file.upstreams -}}
{{- if kindIs "bool" .proxy }}{{ $_ := set . "proxy" "off" }}{{ end -}}
{{- end -}}
{{- toYaml $file -}}
{{- end -}}

{{- define "gateway.upstreamsName" -}}{{ include "gateway.fullname" . }}-upstreams{{- end -}}

{{- /*
Sources of the volume, which has no subPath, so that Kubernetes updates it in running pods. Whole Secrets are mounted, so that a new
key needs no new pod. The file comes last, because a later source wins. Takes (list root configMap).
*/ -}}
{{- define "gateway.upstreamsSources" -}}
{{- with (index . 0).Values.upstreams }}
{{- with .existingSecret }}
- secret:
    name: {{ . }}
{{- end }}
{{- range $path, $reference := include "gateway.entries" .secretKeys | fromYaml }}
- secret:
    name: {{ $reference.name }}
    items: [{ key: {{ $reference.key | quote }}, path: {{ $path | quote }} }]
{{- end }}
{{- if or .file .existingConfigMap }}
- configMap:
    name: {{ .existingConfigMap | default (index $ 1) }}
    items: [{ key: {{ empty .existingConfigMap | ternary "upstreams.yaml" .key | quote }}, path: upstreams.yaml }]
{{- end }}
{{- end }}
{{- end -}}

{{- /* Annotations that keep Reloader from restarting the pods after a change of only the upstreams. */ -}}
{{- define "gateway.reloaderExclusions" -}}
{{- $configMaps := list -}}
{{- $secrets := list -}}
{{- $restarting := include "gateway.restartSources" . | fromYamlArray -}}
{{- range include "gateway.upstreamsSources" (list . (include "gateway.upstreamsName" .)) | fromYamlArray -}}
{{- with dig "configMap" "name" "" . }}{{ if not (has (printf "ConfigMap/%s" .) $restarting) }}{{ $configMaps = append $configMaps . }}{{ end }}{{ end -}}
{{- with dig "secret" "name" "" . }}{{ if not (has (printf "Secret/%s" .) $restarting) }}{{ $secrets = append $secrets . }}{{ end }}{{ end -}}
{{- end -}}
{{- with $configMaps }}
configmaps.exclude.reloader.stakater.com/reload: {{ uniq . | join "," }}
{{- end }}
{{- with $secrets }}
secrets.exclude.reloader.stakater.com/reload: {{ uniq . | join "," }}
{{- end }}
{{- end -}}

{{- /* The files and variables with secrets that upstreams.file names, as a YAML list of `{upstream, env, file}`. */ -}}
{{- define "gateway.upstreamsReferences" -}}
{{- $found := list -}}
{{- range .Values.upstreams.file.upstreams -}}
{{- $upstream := .name -}}
{{- range prepend (values (.headers | default dict)) .credential -}}
{{- if kindIs "map" . }}{{ $found = append $found (dict "upstream" $upstream "env" .env "file" .file) }}{{ end -}}
{{- end -}}
{{- range values (.tls | default dict) }}{{ $found = append $found (dict "upstream" $upstream "file" .) }}{{ end -}}
{{- end -}}
{{- toYaml $found -}}
{{- end -}}

{{- /*
The longest silence with the upstreams in the file, in milliseconds. A request can wait for one connection after the other, for the
responses of all upstreams with `repeat_sent`, and for one more. Takes (dict "root" root "connect" … "head" … "idle" …), with the
defaults.
*/ -}}
{{- define "gateway.upstreamsSilence" -}}
{{- $silence := 0 -}}
{{- $last := .head -}}
{{- $idle := .idle -}}
{{- range $upstream := .root.Values.upstreams.file.upstreams -}}
{{- $head := dig "timeouts" "head_ms" $.head $upstream | int64 -}}
{{- $silence = dig "timeouts" "connect_ms" $.connect $upstream | int64 | add $silence -}}
{{- $idle = dig "timeouts" "idle_ms" $.idle $upstream | int64 | max $idle -}}
{{- if $upstream.repeat_sent }}{{ $silence = add $silence $head }}{{ else }}{{ $last = max $last $head }}{{ end -}}
{{- end -}}
{{- max (add $silence $last) $idle -}}
{{- end -}}

{{- /* Ports of the upstreams in the file that networkPolicy.egressPorts does not list. */ -}}
{{- define "gateway.upstreamsClosedPorts" -}}
{{- $closed := list -}}
{{- $open := list -}}
{{- range .Values.networkPolicy.egressPorts }}{{ $open = append $open (include "gateway.text" .) }}{{ end -}}
{{- range .Values.upstreams.file.upstreams -}}
{{- $url := urlParse .base_url -}}
{{- $port := regexFind ":[0-9]+$" $url.host | trimPrefix ":" | default (eq $url.scheme "http" | ternary "80" "443") -}}
{{- if not (has $port $open) }}{{ $closed = append $closed $port }}{{ end -}}
{{- end -}}
{{- join ", " (uniq $closed) -}}
{{- end -}}

{{- define "gateway.upstreamsFaults" -}}
{{- $upstreams := .Values.upstreams -}}
{{- $several := include "gateway.severalUpstreams" . -}}
{{- $secretKeys := include "gateway.entries" $upstreams.secretKeys | fromYaml -}}
{{- $names := dict -}}
{{- range include "gateway.environment" (list . "gateway") | fromYamlArray }}{{ $_ := set $names .name true }}{{ end -}}
{{- if and $upstreams.file $upstreams.existingConfigMap }}
upstreams.file and upstreams.existingConfigMap are both set. Remove one of them.
{{- end }}
{{- if and (or $upstreams.existingSecret $secretKeys) (not $several) }}
upstreams.existingSecret and upstreams.secretKeys have no effect without upstreams. Set upstreams.file, upstreams.existingConfigMap, or settings.GW_UPSTREAMS, or remove them.
{{- end }}
{{- if $several }}
{{- range $name, $_ := $names }}
{{- if regexMatch (include "gateway.singleAccount" $) $name }}
{{ $name }} is set, but upstreams replaces the settings of a single account. Remove it from settings, secret.keys, or extraEnv, or remove upstreams.
{{- end }}
{{- end }}
{{- end }}
{{- range include "gateway.upstreamsReferences" . | fromYamlArray }}
{{- if and .env (not (hasKey $names .env)) }}
{{ printf "The upstream %q in upstreams.file reads the variable %s, which the pods do not have. Add it to extraEnv, or use file in place of env." .upstream .env }}
{{- end }}
{{- $isKey := regexMatch "^[-._a-zA-Z0-9]+$" (.file | default "") }}
{{- if and $isKey (not $upstreams.existingSecret) (not (hasKey $secretKeys .file)) }}
{{ printf "The upstream %q in upstreams.file reads the file %s, which no Secret contains. Set upstreams.existingSecret, or add it to upstreams.secretKeys." .upstream .file }}
{{- end }}
{{- end }}
{{- end -}}
