{{- /* `true` if Helm talks to a cluster. `helm template` and Argo CD render without one, and then every lookup is empty. */ -}}
{{- define "gateway.connected" -}}
{{- if hasKey (lookup "apps/v1" "Deployment" .Release.Namespace "") "kind" }}true{{ end -}}
{{- end -}}

{{- /*
Number of pods of the Deployment. With autoscaling, a new release starts with minReplicas, and the autoscaler controls the number
from then on. If Helm removed a number that it has set, Kubernetes would scale to one pod. Helm therefore keeps the current number
until another manager owns the field. Helm 3 merges on the client, so it cannot share a field and always keeps the number. Without
access to the cluster, the number is empty, because tools such as Argo CD would apply it again and again.
*/ -}}
{{- define "gateway.replicas" -}}
{{- if not .Values.autoscaling.enabled -}}
{{- .Values.replicaCount | int64 -}}
{{- else if include "gateway.connected" . -}}
{{- $live := lookup "apps/v1" "Deployment" .Release.Namespace (include "gateway.fullname" .) -}}
{{- $merges := true -}}
{{- $ofOthers := false -}}
{{- range dig "metadata" "managedFields" list $live -}}
{{- $ofHelm := hasPrefix "helm" .manager -}}
{{- if and $ofHelm (eq (get . "operation") "Apply") (hasPrefix "v4." $.Capabilities.HelmVersion.Version) }}{{ $merges = false }}{{ end -}}
{{- if and (not $ofHelm) (hasKey (dig "fieldsV1" "f:spec" dict .) "f:replicas") }}{{ $ofOthers = true }}{{ end -}}
{{- end -}}
{{- if or $merges (not $ofOthers) -}}
{{- $least := int64 .Values.autoscaling.minReplicas -}}
{{- $replicas := dig "spec" "replicas" $least $live | int64 -}}
{{- /* Zero pods stay zero: the Deployment was stopped on purpose, for example for a restore. */ -}}
{{- eq $replicas 0 | ternary 0 (max $replicas $least) -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{- /* Secrets or keys that do not exist in the cluster, one per line. Without them, Helm would wait its whole timeout. */ -}}
{{- define "gateway.secretFaults" -}}
{{- if and .Values.secret.check (include "gateway.connected" .) -}}
{{- $root := . -}}
{{- $components := .Values.migrations.job | ternary (list "gateway" "migrate") (list "gateway") -}}
{{- range $component := $components }}
{{- range $reference := include "gateway.secretKeys" (list $root $component) | fromYaml }}
{{- if not $reference.optional }}
{{- $secret := lookup "v1" "Secret" $root.Release.Namespace $reference.name }}
{{- if not $secret }}
{{ printf "The Secret %q does not exist in the namespace %q. Create it first, or set secret.check=false if a controller creates it later." $reference.name $root.Release.Namespace }}
{{- else if not (hasKey ($secret.data | default dict) $reference.key) }}
{{ printf "The Secret %q has no key %q. Add it, or set secret.keys to another key." $reference.name $reference.key }}
{{- end }}
{{- end }}
{{- end }}
{{- end }}
{{- end -}}
{{- end -}}

{{- /* Service accounts of others that do not exist in the cluster. Without them, no pod can be created. */ -}}
{{- define "gateway.accountFaults" -}}
{{- if and .Values.secret.check (include "gateway.connected" .) -}}
{{- range $path, $account := dict "serviceAccount" .Values.serviceAccount "migrations.serviceAccount" .Values.migrations.serviceAccount }}
{{- if and $account.name (not $account.create) (not (lookup "v1" "ServiceAccount" $.Release.Namespace $account.name)) }}
The service account {{ printf "%q" $account.name }} of {{ $path }} does not exist in the namespace {{ printf "%q" $.Release.Namespace }}. Create it first, or set {{ $path }}.create=true.
{{- end }}
{{- end }}
{{- end -}}
{{- end -}}

{{- /* Objects of the upstreams that do not exist in the cluster, one per line. */ -}}
{{- define "gateway.upstreamsLiveFaults" -}}
{{- if and .Values.secret.check (include "gateway.connected" .) -}}
{{- $namespace := .Release.Namespace -}}
{{- $upstreams := .Values.upstreams -}}
{{- $secretKeys := include "gateway.entries" $upstreams.secretKeys | fromYaml -}}
{{- $needed := list -}}
{{- with $upstreams.existingConfigMap }}{{ $needed = append $needed (dict "kind" "ConfigMap" "name" . "key" $upstreams.key) }}{{ end -}}
{{- with $upstreams.existingSecret -}}
{{- $needed = append $needed (dict "kind" "Secret" "name" .) -}}
{{- range include "gateway.upstreamsReferences" $ | fromYamlArray -}}
{{- $isKey := regexMatch "^[-._a-zA-Z0-9]+$" (.file | default "") -}}
{{- if and $isKey (not (hasKey $secretKeys .file)) }}{{ $needed = append $needed (dict "kind" "Secret" "name" $upstreams.existingSecret "key" .file) }}{{ end -}}
{{- end -}}
{{- end -}}
{{- range $secretKeys }}{{ $needed = append $needed (dict "kind" "Secret" "name" .name "key" .key) }}{{ end -}}
{{- range $needed }}
{{- $object := lookup "v1" .kind $namespace .name }}
{{- if not $object }}
{{ printf "The %s %q does not exist in the namespace %q. Create it first, or set secret.check=false if a controller creates it later." .kind .name $namespace }}
{{- else if and .key (not (hasKey (merge (dict) ($object.data | default dict) ($object.binaryData | default dict)) .key)) }}
{{ printf "The %s %q has no key %q, which upstreams names. Add it, or correct the name." .kind .name .key }}
{{- end }}
{{- end }}
{{- end -}}
{{- end -}}

{{- /*
Secrets and ConfigMaps of the gateway pods, as a YAML list of `kind/name`. Without those of the upstreams, which the gateway reads
again while it runs.
*/ -}}
{{- define "gateway.restartSources" -}}
{{- $names := dict -}}
{{- range include "gateway.environment" (list . "gateway") | fromYamlArray -}}
{{- with dig "valueFrom" "secretKeyRef" "name" "" . }}{{ $_ := set $names (printf "Secret/%s" .) true }}{{ end -}}
{{- with dig "valueFrom" "configMapKeyRef" "name" "" . }}{{ $_ := set $names (printf "ConfigMap/%s" .) true }}{{ end -}}
{{- end -}}
{{- range $volume := include "gateway.volumes" (list . "gateway") | fromYamlArray -}}
{{- if ne $volume.name "upstreams" -}}
{{- with dig "secret" "secretName" "" $volume }}{{ $_ := set $names (printf "Secret/%s" .) true }}{{ end -}}
{{- range $source := prepend (dig "projected" "sources" list $volume) $volume -}}
{{- with dig "secret" "name" "" $source }}{{ $_ := set $names (printf "Secret/%s" .) true }}{{ end -}}
{{- with dig "configMap" "name" "" $source }}{{ $_ := set $names (printf "ConfigMap/%s" .) true }}{{ end -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- keys $names | sortAlpha | toYaml -}}
{{- end -}}

{{- /*
Annotation that changes with the Secrets and ConfigMaps of the gateway pods, so that an upgrade restarts them. It is a hash of the
versions, because a hash of the contents would let readers of a pod guess passwords.
*/ -}}
{{- define "gateway.checksum" -}}
{{- if and .Values.restartOnChange.checksum (include "gateway.connected" .) -}}
{{- $versions := list -}}
{{- range $name := include "gateway.restartSources" . | fromYamlArray -}}
{{- $object := lookup "v1" (dir $name) $.Release.Namespace (base $name) -}}
{{- $versions = append $versions (printf "%s %s %s" $name (dig "metadata" "uid" "" $object) (dig "metadata" "resourceVersion" "" $object)) -}}
{{- end -}}
{{- if $versions -}}
checksum/secrets-and-configmaps: {{ join "\n" $versions | sha256sum }}
{{- end -}}
{{- end -}}
{{- end -}}

{{- /* The source of a pod's database connection, in words. Takes (dict "env" … "volumes" …). Empty: unknown. */ -}}
{{- define "gateway.databaseSource" -}}
{{- $parts := dict -}}
{{- $source := "" -}}
{{- range .env -}}
{{- if and (eq .name "DATABASE_URL") (dig "valueFrom" "secretKeyRef" "name" "" .) -}}
{{- $source = printf "the key %q of the Secret %q" .valueFrom.secretKeyRef.key .valueFrom.secretKeyRef.name -}}
{{- else if has .name (list "PGHOST" "PGPORT" "PGDATABASE") -}}
{{- $_ := set $parts .name (get . "value" | default (printf "the key %s of %s" (dig "valueFrom" "secretKeyRef" "key" "" .) (dig "valueFrom" "secretKeyRef" "name" "" .))) -}}
{{- end -}}
{{- end -}}
{{- range .volumes -}}
{{- range dig "projected" "sources" list . -}}
{{- $secret := dig "secret" "name" "" . -}}
{{- range dig "secret" "items" list . -}}
{{- if eq .path "DATABASE_URL" }}{{ $source = printf "the key %q of the Secret %q" .key $secret }}{{ end -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- if $source }}{{ $source }}{{ else if and (hasKey $parts "PGHOST") (hasKey $parts "PGDATABASE") }}{{ printf "the same database (%s)" (toJson $parts) }}{{ end -}}
{{- end -}}

{{- /* Other releases in the namespace whose gateways use the same database, one per line. */ -}}
{{- define "gateway.sharedFaults" -}}
{{- if not .Values.secret.shared -}}
{{- $takes := list . "gateway" -}}
{{- $source := include "gateway.databaseSource" (dict "env" (include "gateway.environment" $takes | fromYamlArray) "volumes" (include "gateway.volumes" $takes | fromYamlArray)) -}}
{{- range $other := (lookup "apps/v1" "Deployment" .Release.Namespace "").items }}
{{- $labels := dig "metadata" "labels" dict $other }}
{{- $same := and (eq (get $labels "app.kubernetes.io/name") $.Chart.Name) (eq (get $labels "app.kubernetes.io/component") "") }}
{{- if and $source $same (ne (get $labels "app.kubernetes.io/instance") $.Release.Name) }}
{{- $pod := $other.spec.template.spec }}
{{- $container := index $pod.containers 0 }}
{{- if eq $source (include "gateway.databaseSource" (dict "env" (get $container "env" | default list) "volumes" (get $pod "volumes" | default list))) }}
{{ printf "The release %q uses %s too, so both would share one database. Use another database, or set secret.shared=true." (get $labels "app.kubernetes.io/instance") $source }}
{{- end }}
{{- end }}
{{- end }}
{{- end -}}
{{- end -}}
