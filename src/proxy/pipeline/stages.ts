import { AdminGuard } from '../../auth/admin.guard.js';
import { ApiKeyGuard } from '../../auth/api-key.guard.js';
import { DashboardGuard } from '../../auth/dashboard.guard.js';
import { FloodGuard } from '../../auth/flood.guard.js';
import { KeyStateGuard, ModelGateGuard } from './key-dependent.guards.js';
import { InstanceCapGuard } from '../../quota/instance-cap.js';
import { AdmissionGuard } from './admission.guard.js';
import { RequestBodyGuard } from './request-body.guard.js';
import { RouteGuard } from './route.guard.js';
import { ValidationGuard } from './validation.guard.js';

/**
 * The stages of a request (D1), in order. The first stage that rejects the request determines the response. The router
 * rejects unknown routes with 404, without a key check. After these stages, the handler forwards the request (8).
 *
 * - `RouteGuard` (1) puts the handler's declaration into the context, where the later stages read it.
 * - `InstanceCapGuard` (2) costs nothing, so it comes before the key lookup.
 * - `FloodGuard` limits requests to /admin and /dashboard per address, before any lookup.
 * - `ApiKeyGuard`, `AdminGuard`, `DashboardGuard` (3) identify the caller. No body is read before that.
 * - `KeyStateGuard` (3) rejects a revoked, suspended or expired key.
 * - `RequestBodyGuard` (4) reads and parses the body.
 * - `ModelGateGuard` (5) checks the model. It comes before admission, so a rejected request is not counted.
 * - `AdmissionGuard` (6) counts the request exactly once, against all limits or none.
 * - `ValidationGuard` (7) validates the body's fields. It comes after admission, so a rejected request is counted.
 */
export const STAGES = [
  RouteGuard,
  InstanceCapGuard,
  FloodGuard,
  ApiKeyGuard,
  AdminGuard,
  DashboardGuard,
  KeyStateGuard,
  RequestBodyGuard,
  ModelGateGuard,
  AdmissionGuard,
  ValidationGuard,
] as const;
