import type { components } from '../../api/schema';

export type Upstream = components['schemas']['UpstreamResponse'];
export type UpstreamList = components['schemas']['UpstreamListResponse'];
export type UpstreamStatus = Upstream['status'];
export type TestedUpstream = components['schemas']['TestedUpstreamResponse'];
