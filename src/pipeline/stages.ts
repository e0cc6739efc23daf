import { AdminGuard } from '../auth/admin.guard.js';
import { ApiKeyGuard } from '../auth/api-key.guard.js';
import { DashboardGuard } from '../auth/dashboard.guard.js';
import { FloodGuard } from '../auth/flood.guard.js';
import { KeyStateGuard } from '../keys/key-state.guard.js';
import { ModelGateGuard } from '../model-policy/model-gate.guard.js';
import { InstanceCapGuard } from '../quota/instance-cap.js';
import { AdmissionGuard } from './admission.guard.js';
import { RequestBodyGuard } from './request-body.guard.js';
import { RouteGuard } from './route.guard.js';
import { ValidationGuard } from './validation.guard.js';

/**
 * THE REQUEST: the stages of D1 in their order. The first that refuses decides the answer.
 * Stage 1, the route itself, is the router's: an unknown one never gets here and is 404 without a key.
 */
export const STAGES = [
  RouteGuard, //         what the handler declares goes into the context, where the stages below read it
  InstanceCapGuard, //   2: costs nothing, so it comes before anyone is looked up
  FloodGuard, //         under /admin and /dashboard: too many calls from one address, before anyone is looked up
  ApiKeyGuard, //        3: who is calling; nobody's body is read before this is known
  AdminGuard, //         3, under /admin
  DashboardGuard, //     3, under /dashboard
  KeyStateGuard, //      3: may this key call at all
  RequestBodyGuard, //   4: the bytes, and what they say
  ModelGateGuard, //     5: may this key use this model here; before the quota, so a refusal counts nowhere
  AdmissionGuard, //     6: counts, exactly once, all windows or none
  ValidationGuard, //    7: the fields of the body; after the quota, so a refusal is counted
] as const;
// 8: the handler, which forwards.
