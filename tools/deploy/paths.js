import { join, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '../..');
export const CHART = 'deploy/helm/inference-gateway';
export const MANIFESTS = 'deploy/manifests';
export const ALERTS = `${CHART}/files/alerts.yaml`;
export const DASHBOARD = `${CHART}/files/dashboard.json`;

export const inRoot = (path) => join(ROOT, path);
