{{- /* `true` if Helm talks to a cluster. `helm template` and Argo CD render without one, and then every lookup is empty. */ -}}
{{- define "gateway.connected" -}}
{{- if hasKey (lookup "apps/v1" "Deployment" .Release.Namespace "") "kind" }}true{{ end -}}
{{- end -}}

{{- /*
Number of pods of the Deployment. The autoscaler owns it after the first install, so an upgrade keeps the current number. Without
the field, Kubernetes would scale a Deployment to one pod when the autoscaler is turned on. Empty: not rendered, so that a tool
without a cluster does not reset the number at every synchronization.
*/ -}}
{{- define "gateway.replicas" -}}
{{- if not .Values.autoscaling.enabled -}}
{{- .Values.replicaCount | int64 -}}
{{- else -}}
{{- $live := lookup "apps/v1" "Deployment" .Release.Namespace (include "gateway.fullname" .) -}}
{{- if $live -}}
{{- $replicas := dig "spec" "replicas" 0 $live | int64 -}}
{{- /* Zero pods stay zero: the Deployment was stopped on purpose, for example for a restore. */ -}}
{{- eq $replicas 0 | ternary 0 (max $replicas (int64 .Values.autoscaling.minReplicas)) -}}
{{- else if include "gateway.connected" . -}}
{{- .Values.autoscaling.minReplicas | int64 -}}
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
{{ printf "The Secret %q has no key %q. Add it." $reference.name $reference.key }}
{{- end }}
{{- end }}
{{- end }}
{{- end }}
{{- end -}}
{{- end -}}

{{- /* Other releases in the namespace whose gateways use the same Secret, one per line. */ -}}
{{- define "gateway.sharedFaults" -}}
{{- if not .Values.secret.shared -}}
{{- $secret := (include "gateway.secretKeys" (list . "gateway") | fromYaml).DATABASE_URL.name -}}
{{- range $other := (lookup "apps/v1" "Deployment" .Release.Namespace "").items }}
{{- $labels := dig "metadata" "labels" dict $other }}
{{- $same := and (eq (get $labels "app.kubernetes.io/name") $.Chart.Name) (eq (get $labels "app.kubernetes.io/component") "") }}
{{- if and $same (ne (get $labels "app.kubernetes.io/instance") $.Release.Name) }}
{{- range (index $other.spec.template.spec.containers 0).env }}
{{- if and (eq .name "DATABASE_URL") (eq (dig "valueFrom" "secretKeyRef" "name" "" .) $secret) }}
{{ printf "The release %q uses the Secret %q too, so both would share one database. Set secret.existingSecret to another Secret, or secret.shared=true." (get $labels "app.kubernetes.io/instance") $secret }}
{{- end }}
{{- end }}
{{- end }}
{{- end }}
{{- end -}}
{{- end -}}
