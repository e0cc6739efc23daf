{{- /* The Deployment's specification. Takes (list root component replicas). Empty replicas are not rendered. */ -}}
{{- define "gateway.deploymentSpec" -}}
{{- $root := index . 0 -}}
{{- $component := index . 1 -}}
revisionHistoryLimit: {{ $root.Values.revisionHistoryLimit }}
{{- with index . 2 }}
replicas: {{ . }}
{{- end }}
# A new pod becomes ready before an old one stops.
strategy:
  type: RollingUpdate
  rollingUpdate:
    maxUnavailable: 0
    maxSurge: 1
selector:
  matchLabels: {{- include "gateway.componentLabels" (list $root $component) | nindent 4 }}
template:
  metadata:
    labels:
      {{- include "gateway.labels" $root | nindent 6 }}
      app.kubernetes.io/component: {{ $component }}
      {{- with $root.Values.podLabels }}
      {{- include "gateway.strings" . | nindent 6 }}
      {{- end }}
    # /tmp holds nothing that outlives a pod, so the cluster autoscaler can remove its node.
    annotations: {{- include "gateway.strings" (merge (dict) $root.Values.podAnnotations (dict "cluster-autoscaler.kubernetes.io/safe-to-evict-local-volumes" "tmp") (include "gateway.checksum" $root | fromYaml)) | nindent 6 }}
  spec:
    serviceAccountName: {{ include "gateway.serviceAccountName" $root }}
    # GW_DRAIN_DELAY_SECONDS + GW_SHUTDOWN_GRACE_SECONDS + 15. The gateway drains without a preStop hook.
    terminationGracePeriodSeconds: {{ include "gateway.terminationGracePeriodSeconds" $root }}
    {{- include "gateway.podFields" (list $root "gateway") | nindent 4 }}
    {{- with $root.Values.extraInitContainers }}
    initContainers: {{- toYaml . | nindent 6 }}
    {{- end }}
    containers:
      - name: gateway
        image: {{ include "gateway.image" $root | quote }}
        imagePullPolicy: {{ $root.Values.image.pullPolicy }}
        ports:
          - name: http
            containerPort: 8080
          {{- if $root.Values.metrics.enabled }}
          - name: metrics
            containerPort: 9464
          {{- end }}
        env: {{- include "gateway.environment" (list $root "gateway") | nindent 10 }}
        # The gateway listens within seconds, even without a database. The readiness probe waits for the database.
        startupProbe:
          httpGet: { path: /health/live, port: http }
          periodSeconds: 2
          timeoutSeconds: 2
          failureThreshold: 30
        readinessProbe:
          httpGet: { path: /health/ready, port: http }
          periodSeconds: 5
          timeoutSeconds: 3
          failureThreshold: 2
        # Checks only the process, so a database outage does not restart pods.
        livenessProbe:
          httpGet: { path: /health/live, port: http }
          periodSeconds: 10
          timeoutSeconds: 5
          failureThreshold: 6
        resources: {{- toYaml $root.Values.resources | nindent 10 }}
        securityContext: {{- toYaml $root.Values.securityContext | nindent 10 }}
        volumeMounts: {{- include "gateway.volumeMounts" (list $root "gateway") | nindent 10 }}
      {{- with $root.Values.extraContainers }}
      {{- toYaml . | nindent 6 }}
      {{- end }}
    volumes: {{- include "gateway.volumes" (list $root "gateway") | nindent 6 }}
    {{- with $root.Values.topologySpreadConstraints }}
    topologySpreadConstraints:
      {{- range . }}
      - labelSelector:
          matchLabels: {{- include "gateway.componentLabels" (list $root $component) | nindent 12 }}
        # Old pods do not count during a rollout.
        matchLabelKeys: [pod-template-hash]
        {{- toYaml . | nindent 8 }}
      {{- end }}
    {{- end }}
{{- end -}}

{{- /* The autoscaler's specification. Takes (list root name), with the name of a Deployment. */ -}}
{{- define "gateway.autoscalerSpec" -}}
{{- $name := index . 1 -}}
{{- with (index . 0).Values.autoscaling -}}
scaleTargetRef:
  apiVersion: apps/v1
  kind: Deployment
  name: {{ $name }}
minReplicas: {{ .minReplicas }}
maxReplicas: {{ .maxReplicas }}
metrics:
  {{- with .targetCPUUtilizationPercentage }}
  - type: Resource
    resource:
      name: cpu
      target:
        type: Utilization
        averageUtilization: {{ . }}
  {{- end }}
  {{- range $metric, $target := dict "gateway_streams_open" .targetOpenStreams "gateway_requests_in_flight" .targetRequestsInFlight }}
  {{- if $target }}
  - type: Pods
    pods:
      metric:
        name: {{ $metric }}
      target:
        type: AverageValue
        averageValue: {{ include "gateway.text" $target | quote }}
  {{- end }}
  {{- end }}
  {{- with .metrics }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- with .behavior }}
behavior: {{- toYaml . | nindent 2 }}
{{- else }}
behavior:
  scaleDown:
    stabilizationWindowSeconds: {{ .scaleDownStabilizationSeconds }}
    policies:
      - type: Pods
        value: 1
        periodSeconds: 60
{{- end }}
{{- end -}}
{{- end -}}
