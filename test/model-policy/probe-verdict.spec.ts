import { describe, expect, test } from '@jest/globals';
import { verdictOf } from '../../src/model-policy/probe/upstream-probe.js';

const verdict = (status: number, error: unknown = {}) =>
  verdictOf('acme-1', status, Buffer.from(typeof error === 'string' ? error : JSON.stringify({ error })));
const UNAVAILABLE = 'listed_unavailable';

describe('verdictOf', () => {
  test.each([200, 201, 299])('status %i means that the model is callable, regardless of the body', (status) => {
    expect(verdict(status, { code: 'model_not_found' })).toBe('callable');
  });

  test.each([404, 410])('status %i means that the model is unavailable', (status) =>
    expect(verdict(status)).toBe(UNAVAILABLE),
  );

  test.each([
    'invalid_model',
    'unknown_model',
    'no_such_model',
    'unsupported_model',
    'MODEL_NOT_FOUND',
    'model_not_found_x',
    'model_not_available',
    'model_not_exist',
    'model_not_supported',
    'model_deprecated',
    'model_decommissioned',
    'model_not_allowed',
    'model_access_denied',
  ])('the error code or type %s means that the model is unavailable', (code) => {
    for (const status of [199, 300, 400, 429, 500]) expect(verdict(status, { code })).toBe(UNAVAILABLE);
    expect(verdict(400, { type: code })).toBe(UNAVAILABLE);
    expect(verdict(400, { type: code, code: 'rate_limit' })).toBeNull();
    expect(verdict(400, { code: `x_${code}` })).toBeNull();
  });

  test.each([
    'No such model',
    'unknown model: x',
    'Invalid model.',
    'x is not a valid model',
    'The model was not found',
    'model is not found',
    'Model not found',
    'this model does not exist',
    'model was does not exist',
  ])('the message %j with a 4xx status means that the model is unavailable', (message) => {
    for (const status of [400, 403, 499]) expect(verdict(status, { message })).toBe(UNAVAILABLE);
    for (const status of [399, 500, 408, 409, 425, 429]) expect(verdict(status, { message })).toBeNull();
    expect(verdict(400, JSON.stringify({ error: message }))).toBe(UNAVAILABLE);
    expect(verdict(400, JSON.stringify({ message }))).toBe(UNAVAILABLE);
  });

  test.each([
    'not found',
    'does not exist',
    "Doesn't exist",
    'has been deprecated',
    'has been decommissioned',
    'has been retired',
    'has been removed',
    'is no longer available',
    'you do not have access',
    'this account does not have access',
  ])('the phrase %j with the ID of the model means that it is unavailable', (phrase) => {
    expect(verdict(400, { message: `acme-1: ${phrase}` })).toBe(UNAVAILABLE);
    expect(verdict(400, { message: `acme-2: ${phrase}` })).toBeNull();
  });

  test.each([
    'This is not a chat model',
    'not a completion model',
    'Did you mean to use v1/completions?',
    'not supported in the v1/chat',
  ])('the message %j means that the probe used the wrong route, so there is no verdict', (message) => {
    for (const status of [400, 404])
      expect(verdict(status, { message, param: 'model', code: 'model_not_found' })).toBeNull();
  });

  test.each([
    ['a wrong parameter', 400, { message: 'acme-1 takes no such field', param: 'max_tokens' }],
    ['no message', 400, {}],
    ['values of another type', 400, { message: 7, code: ['model_not_found'], param: null }],
    [
      'phrases inside longer words',
      400,
      { message: 'unknown modelling, a reunknown model, a supermodel was not found' },
    ],
    ['HTML', 400, '<html>'],
    ['null', 400, 'null'],
    ['a number', 400, '7'],
  ])('an error with %s produces no verdict', (_what, status, error) => expect(verdict(status, error)).toBeNull());

  test('the param "model" with a 4xx status means that the model is unavailable', () => {
    expect(verdict(400, { param: 'model' })).toBe(UNAVAILABLE);
    expect(verdict(500, { param: 'model' })).toBeNull();
  });
});
