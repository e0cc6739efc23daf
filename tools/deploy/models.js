import * as gatewayApi from '@kubernetes-models/gateway-api/gateway.networking.k8s.io/v1';
import * as prometheus from '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1';
import * as apps from 'kubernetes-models/apps/v1';
import * as autoscaling from 'kubernetes-models/autoscaling/v2';
import * as batch from 'kubernetes-models/batch/v1';
import * as networking from 'kubernetes-models/networking.k8s.io/v1';
import * as policy from 'kubernetes-models/policy/v1';
import * as core from 'kubernetes-models/v1';

const MODULES = {
  v1: { models: core, module: 'kubernetes-models/v1' },
  'apps/v1': { models: apps, module: 'kubernetes-models/apps/v1' },
  'autoscaling/v2': { models: autoscaling, module: 'kubernetes-models/autoscaling/v2' },
  'batch/v1': { models: batch, module: 'kubernetes-models/batch/v1' },
  'networking.k8s.io/v1': { models: networking, module: 'kubernetes-models/networking.k8s.io/v1' },
  'policy/v1': { models: policy, module: 'kubernetes-models/policy/v1' },
  'gateway.networking.k8s.io/v1': {
    ...{ models: gatewayApi, module: '@kubernetes-models/gateway-api/gateway.networking.k8s.io/v1' },
  },
  'monitoring.coreos.com/v1': {
    ...{ models: prometheus, module: '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1' },
  },
};

export function modelOf({ apiVersion, kind }) {
  const model = MODULES[apiVersion]?.models[kind];
  if (model === undefined) throw new Error(`There is no schema for ${apiVersion} ${kind}. Add it to models.js.`);
  return model;
}

/** The type's name is `I` plus the kind. */
export const moduleOf = ({ apiVersion }) => MODULES[apiVersion].module;
