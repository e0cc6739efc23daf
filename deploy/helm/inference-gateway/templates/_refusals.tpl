{{- /*
Fails with every fault of the values that the schema cannot express. It runs while Helm renders, before the migration. Each
`gateway.…Faults` returns one fault per line.
*/ -}}
{{- define "gateway.refuse" -}}
{{- $faults := list -}}
{{- range $check := list "settingFaults" "migrationFaults" "sourceFaults" "upstreamsFaults" "nameFaults" "scalingFaults" "resourceFaults" "podFaults" "policyFaults" "addressFaults" "spreadFaults" "monitoringFaults" "secretFaults" "accountFaults" "upstreamsLiveFaults" "sharedFaults" -}}
{{- range $line := include (printf "gateway.%s" $check) $ | splitList "\n" -}}
{{- if trim $line }}{{ $faults = append $faults (trim $line) }}{{ end -}}
{{- end -}}
{{- end -}}
{{- if $faults }}{{ fail (printf "\n- %s\n" (join "\n- " (uniq $faults))) }}{{ end -}}
{{- end -}}

{{- define "gateway.settingFaults" -}}
{{- $known := .Files.Get "files/settings.json" | fromJson -}}
{{- range $name := $known.required }}
{{- if and (eq $name "GW_UPSTREAM_BASE_URL") (not (include "gateway.setting" (list $ $name))) (not (include "gateway.severalUpstreams" $)) }}
settings.{{ $name }} is required. Set it, or describe several accounts in upstreams, see docs/kubernetes.md.
{{- else if and (ne $name "GW_UPSTREAM_BASE_URL") (not (include "gateway.setting" (list $ $name))) }}
settings.{{ $name }} is required. Set it, see docs/settings.md.
{{- end }}
{{- end }}
{{- range $name, $bounds := $known.bounds }}
{{- $text := include "gateway.setting" (list $ $name) }}
{{- if and $text (ne $text "auto") (or (lt (float64 $text) (float64 (index $bounds 0))) (gt (float64 $text) (float64 (index $bounds 1)))) }}
settings.{{ $name }} is {{ $text }}. Use a number from {{ index $bounds 0 | include "gateway.text" }} to {{ index $bounds 1 | include "gateway.text" }}.
{{- end }}
{{- end }}
{{- end -}}

{{- define "gateway.migrationFaults" -}}
{{- $wait := include "gateway.number" (list . "GW_MIGRATION_WAIT_SECONDS") | int64 -}}
{{- $deadline := int64 .Values.migrations.activeDeadlineSeconds -}}
{{- if and .Values.migrations.job (ge $wait $deadline) }}
migrations.activeDeadlineSeconds ({{ $deadline }}) must be above GW_MIGRATION_WAIT_SECONDS ({{ $wait }}), the time that a migration waits for locks. Change one.
{{- end }}
{{- end -}}

{{- define "gateway.nameFaults" -}}
{{- $name := include "gateway.fullname" . -}}
{{- if not (regexMatch "^[a-z]([-a-z0-9]*[a-z0-9])?$" $name) }}
The name {{ printf "%q" $name }} is invalid for a Service: it must start with a letter and contain only lower-case letters, digits, and hyphens. Use another release name, or set fullnameOverride.
{{- end }}
{{- if and .Values.migrations.job .Values.serviceAccount.create .Values.migrations.serviceAccount.create (eq (include "gateway.serviceAccountName" .) (include "gateway.migrationServiceAccountName" .)) }}
serviceAccount.name and migrations.serviceAccount.name are the same, but Helm deletes the second after each migration. Change one, or set migrations.serviceAccount.create=false.
{{- end }}
{{- end -}}

{{- define "gateway.scalingFaults" -}}
{{- with .Values.autoscaling -}}
{{- if .enabled -}}
{{- if gt (int64 .minReplicas) (int64 .maxReplicas) }}
autoscaling.minReplicas ({{ int64 .minReplicas }}) is above autoscaling.maxReplicas ({{ int64 .maxReplicas }}). Change one.
{{- end }}
{{- if not (or .targetCPUUtilizationPercentage .targetOpenStreams .targetRequestsInFlight .metrics) }}
autoscaling has no metric. Set autoscaling.targetCPUUtilizationPercentage or another target, or autoscaling.enabled=false.
{{- end }}
{{- end -}}
{{- end -}}
{{- if and .Values.autoscaling.enabled .Values.autoscaling.targetCPUUtilizationPercentage (not (dig "requests" "cpu" "" (.Values.resources | default dict))) (not (dig "limits" "cpu" "" (.Values.resources | default dict))) }}
autoscaling.targetCPUUtilizationPercentage needs a CPU request. Set resources.requests.cpu, or the target to 0.
{{- end }}
{{- end -}}

{{- /* A quantity of Kubernetes, such as 512Mi or 0.5, as a decimal number. */ -}}
{{- define "gateway.quantity" -}}
{{- $text := include "gateway.text" . -}}
{{- $number := regexFind "^\\+?[0-9.]+([eE][+-]?[0-9]+)?" $text -}}
{{- $factors := dict "" 1.0 "n" 1e-9 "u" 1e-6 "m" 1e-3 "k" 1e3 "M" 1e6 "G" 1e9 "T" 1e12 "P" 1e15 "E" 1e18
      "Ki" 1024.0 "Mi" 1048576.0 "Gi" 1073741824.0 "Ti" 1099511627776.0 "Pi" 1125899906842624.0 "Ei" 1152921504606846976.0 -}}
{{- printf "%f" (mulf (float64 $number) (get $factors (trimPrefix $number $text))) -}}
{{- end -}}

{{- define "gateway.resourceFaults" -}}
{{- range $path, $resources := dict "resources" .Values.resources "migrations.resources" .Values.migrations.resources "tests.resources" .Values.tests.resources }}
{{- $limits := dig "limits" dict ($resources | default dict) }}
{{- range $name, $request := dig "requests" dict ($resources | default dict) }}
{{- $limit := get ($limits | default dict) $name }}
{{- if and (hasKey ($limits | default dict) $name) (gt (include "gateway.quantity" $request | float64) (include "gateway.quantity" $limit | float64)) }}
{{ $path }}.requests.{{ $name }} ({{ include "gateway.text" $request }}) is above {{ $path }}.limits.{{ $name }} ({{ include "gateway.text" $limit }}). Change one.
{{- end }}
{{- end }}
{{- end }}
{{- with dig "limits" "memory" "" (.Values.resources | default dict) }}
{{- $body := include "gateway.number" (list $ "GW_BODY_MEMORY_BYTES") | int64 }}
{{- /* `auto` is the number of CPUs that the limit allows. Without a limit it depends on the node. */ -}}
{{- $cpus := dig "limits" "cpu" "1" ($.Values.resources | default dict) | include "gateway.quantity" | float64 | ceil | int64 }}
{{- $workers := include "gateway.number" (list $ "GW_WORKERS") | replace "auto" (toString $cpus) | int64 }}
{{- $needed := mul $workers (add 209715200 (mul 2 $body)) }}
{{- if lt (include "gateway.quantity" . | float64) (float64 $needed) }}
resources.limits.memory is {{ include "gateway.text" . }}, but {{ $workers }} worker(s) with GW_BODY_MEMORY_BYTES={{ $body }} need {{ div (add $needed 1048575) 1048576 }}Mi: 200 MiB and twice the body memory each. Raise the limit, or lower settings.GW_BODY_MEMORY_BYTES.
{{- end }}
{{- end }}
{{- end -}}

{{- /* Names that are defined twice in the pod, and mounts without a volume. */ -}}
{{- define "gateway.podFaults" -}}
{{- $lists := dict
      "The environment variable %q is defined twice. Keep it in only one of settings, secret.keys, and extraEnv." (include "gateway.environment" (list . "gateway") | fromYamlArray)
      "The volume %q is defined twice. Rename it in extraVolumes." (include "gateway.volumes" (list . "gateway" "migrate") | fromYamlArray)
      "The container %q is defined twice. Rename it in extraContainers or extraInitContainers." (concat (list (dict "name" "gateway")) (.Values.extraContainers | default list) (.Values.extraInitContainers | default list)) }}
{{- range $fault, $entries := $lists }}
{{- $seen := dict }}
{{- range $entries }}
{{- if hasKey $seen .name }}
{{ printf $fault .name }}
{{- end }}
{{- $_ := set $seen .name true }}
{{- end }}
{{- end }}
{{- $volumes := dict }}
{{- range include "gateway.volumes" (list . "gateway" "migrate") | fromYamlArray }}{{ $_ := set $volumes .name true }}{{ end }}
{{- $paths := dict }}
{{- range include "gateway.volumeMounts" (list . "gateway") | fromYamlArray }}
{{- if not (hasKey $volumes .name) }}
extraVolumeMounts mounts the volume {{ printf "%q" .name }}, which does not exist. Add it to extraVolumes.
{{- end }}
{{- if hasKey $paths .mountPath }}
Two volumes are mounted at {{ .mountPath }}. Change extraVolumeMounts.
{{- end }}
{{- $_ := set $paths .mountPath true }}
{{- end }}
{{- range concat (.Values.extraContainers | default list) (.Values.extraInitContainers | default list) }}
{{- $container := .name }}
{{- range .volumeMounts }}
{{- if not (hasKey $volumes .name) }}
The container {{ printf "%q" $container }} mounts the volume {{ printf "%q" .name }}, which does not exist. Add it to extraVolumes.
{{- end }}
{{- end }}
{{- end }}
{{- end -}}

{{- /*
An address range as YAML: its groups of 16 bits, and for each group the number that its part of the prefix divides. Two ranges are
nested if the quotients of their groups are equal. Takes a range that the schema accepts.
*/ -}}
{{- define "gateway.addressRange" -}}
{{- $prefix := splitList "/" . | last | int64 -}}
{{- $address := splitList "/" . | first -}}
{{- $groups := list -}}
{{- if contains ":" $address -}}
{{- /* A dotted end, as in ::ffff:10.0.0.0, is two groups. */ -}}
{{- $dotted := regexFind "[0-9.]+$" $address -}}
{{- $last := list -}}
{{- if contains "." $dotted -}}
{{- $octets := splitList "." $dotted -}}
{{- $last = list (printf "%x" (add (mul 256 (index $octets 0 | int64)) (index $octets 1 | int64))) (printf "%x" (add (mul 256 (index $octets 2 | int64)) (index $octets 3 | int64))) -}}
{{- $address = trimSuffix $dotted $address -}}
{{- end -}}
{{- $halves := splitList "::" $address -}}
{{- $before := first $halves | splitList ":" | compact -}}
{{- $after := concat (rest $halves | join ":" | splitList ":" | compact) $last -}}
{{- $zeros := sub (sub 8 (len $before)) (len $after) | int -}}
{{- range $before }}{{ $groups = append $groups (printf "0x%s" .) }}{{ end -}}
{{- range until (max 0 $zeros | int) }}{{ $groups = append $groups "0x0" }}{{ end -}}
{{- range $after }}{{ $groups = append $groups (printf "0x%s" .) }}{{ end -}}
{{- else -}}
{{- $octets := splitList "." $address -}}
{{- $groups = list (add (mul 256 (index $octets 0 | int64)) (index $octets 1 | int64)) (add (mul 256 (index $octets 2 | int64)) (index $octets 3 | int64)) -}}
{{- end -}}
prefix: {{ $prefix }}
groups:
{{- range $at, $group := $groups }}
{{- $kept := max 0 (min 16 (sub $prefix (mul 16 $at))) }}
{{- $size := 1 }}
{{- range until (sub 16 $kept | int) }}{{ $size = mul 2 $size }}{{ end }}
  - value: {{ int64 $group }}
    size: {{ $size }}
{{- end }}
{{- end -}}

{{- /* Ranges that Kubernetes rejects: with bits below the prefix, or an exception outside. */ -}}
{{- define "gateway.addressFaults" -}}
{{- $blocks := list -}}
{{- range concat (.Values.networkPolicy.from | default list) (.Values.networkPolicy.metricsFrom | default list) -}}
{{- with .ipBlock }}{{ $blocks = append $blocks . }}{{ end -}}
{{- end -}}
{{- range .Values.networkPolicy.egress -}}
{{- range .to }}{{ with .ipBlock }}{{ $blocks = append $blocks . }}{{ end }}{{ end -}}
{{- end -}}
{{- range .Values.service.loadBalancerSourceRanges }}{{ $blocks = append $blocks (dict "cidr" .) }}{{ end -}}
{{- range $block := $blocks -}}
{{- range $range := prepend ($block.except | default list) $block.cidr -}}
{{- $low := false -}}
{{- range (include "gateway.addressRange" $range | fromYaml).groups }}{{ if mod .value .size }}{{ $low = true }}{{ end }}{{ end -}}
{{- if $low }}
The address range {{ $range }} has bits below its prefix, which Kubernetes rejects. Use the first address of the range.
{{- end }}
{{- end }}
{{- $outer := include "gateway.addressRange" $block.cidr | fromYaml }}
{{- range $except := $block.except }}
{{- $inner := include "gateway.addressRange" $except | fromYaml }}
{{- $outside := or (le (int64 $inner.prefix) (int64 $outer.prefix)) (ne (len $inner.groups) (len $outer.groups)) }}
{{- if not $outside }}
{{- range $at, $group := $outer.groups }}
{{- if ne (div $group.value $group.size) (div (index $inner.groups $at).value $group.size) }}{{ $outside = true }}{{ end }}
{{- end }}
{{- end }}
{{- if $outside }}
The exception {{ $except }} is not a part of the range {{ $block.cidr }}. Change one.
{{- end }}
{{- end }}
{{- end }}
{{- end -}}

{{- define "gateway.spreadFaults" -}}
{{- $seen := dict -}}
{{- range .Values.topologySpreadConstraints }}
{{- $pair := printf "%s %s" .topologyKey .whenUnsatisfiable }}
{{- if hasKey $seen $pair }}
topologySpreadConstraints has two entries for {{ .topologyKey }} with {{ .whenUnsatisfiable }}. Remove one.
{{- end }}
{{- $_ := set $seen $pair true }}
{{- end }}
{{- end -}}

{{- define "gateway.policyFaults" -}}
{{- with .Values.networkPolicy -}}
{{- if and .egress (not .restrictEgress) }}
networkPolicy.egress has no effect while networkPolicy.restrictEgress is false. Set it to true.
{{- end }}
{{- range .egress }}
{{- range .ports }}
{{- if and .endPort (lt (int64 .endPort) (int64 .port)) }}
networkPolicy.egress has a range from port {{ int64 .port }} to {{ int64 .endPort }}. Change endPort or port.
{{- end }}
{{- end }}
{{- end }}
{{- end }}
{{- if and (eq .Values.dnsPolicy "None") (not (dig "nameservers" list (.Values.dnsConfig | default dict))) }}
dnsPolicy=None needs a name server. Set dnsConfig.nameservers, or another policy.
{{- end }}
{{- with .Values.service }}
{{- if and (gt (len (.ipFamilies | default list)) 1) (not (hasSuffix "DualStack" (.ipFamilyPolicy | default ""))) }}
service.ipFamilies has two families. Set service.ipFamilyPolicy to PreferDualStack or RequireDualStack.
{{- end }}
{{- if and .loadBalancerSourceRanges (ne .type "LoadBalancer") }}
service.loadBalancerSourceRanges needs service.type=LoadBalancer. Set it, or remove the ranges.
{{- end }}
{{- end }}
{{- end -}}

{{- define "gateway.monitoringFaults" -}}
{{- $alerts := list -}}
{{- range (.Files.Get "files/alerts.yaml" | fromYaml).groups -}}
{{- range .rules }}{{ $alerts = append $alerts .alert }}{{ end -}}
{{- end -}}
{{- range .Values.prometheusRule.disabled }}
{{- if not (has . $alerts) }}
prometheusRule.disabled names {{ printf "%q" . }}, which is not an alert. Use names of files/alerts.yaml.
{{- end }}
{{- end }}
{{- if not .Values.metrics.enabled }}
{{- range $name := list "prometheusRule" "serviceMonitor" "grafanaDashboard" }}
{{- if (get $.Values $name).enabled }}
{{ $name }} needs metrics. Set metrics.enabled=true, or {{ $name }}.enabled=false.
{{- end }}
{{- end }}
{{- range $name := list "targetOpenStreams" "targetRequestsInFlight" }}
{{- if and $.Values.autoscaling.enabled (get $.Values.autoscaling $name) }}
autoscaling.{{ $name }} needs metrics. Set metrics.enabled=true, or the target to 0.
{{- end }}
{{- end }}
{{- end }}
{{- end -}}
