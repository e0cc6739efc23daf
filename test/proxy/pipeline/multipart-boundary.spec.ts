import { describe, expect, test } from '@jest/globals';
import type { GatewayError } from '../../../src/platform/errors/gateway-error.js';
import { boundaryOf } from '../../../src/proxy/pipeline/body/multipart-headers.js';

describe('boundaryOf', () => {
  test.each<[string, string]>([
    ['multipart/form-data; boundary=----WebKitFormBoundary7MA4YWxkTrZu0gW', '----WebKitFormBoundary7MA4YWxkTrZu0gW'],
    [
      'multipart/form-data; boundary=------------------------d74496d66958873e',
      '------------------------d74496d66958873e',
    ],
    ['multipart/form-data; boundary="1f2e-3d4c"', '1f2e-3d4c'],
    ['multipart/form-data; charset=utf-8; boundary=x', 'x'],
    ['multipart/form-data;boundary=x', 'x'],
    ['Multipart/Form-Data ;  Boundary=x ', 'x'],
    [`multipart/form-data; boundary="----=_Part'1(2)+3,4./:=? x"`, "----=_Part'1(2)+3,4./:=? x"],
    [`multipart/form-data; boundary=${'b'.repeat(70)}`, 'b'.repeat(70)],
    ...[...`'()+_,./:=?-09AZaz`].map((last): [string, string] => [
      `multipart/form-data; boundary="x${last}"`,
      `x${last}`,
    ]),
    [' \tmultipart/form-data; boundary=x', 'x'],
    ['multipart/form-data; boundary=x; charset=UTF8', 'x'],
  ])('the boundary is read from %s', (contentType, boundary) => expect(boundaryOf(contentType)).toBe(boundary));

  test.each<[string | undefined]>([
    [undefined],
    [''],
    ['application/json'],
    ['multipart/form-data'],
    ['multipart/form-datax; boundary=x'],
    ['multipart/mixed; boundary=x'],
    ['multipart/form-data; boundary='],
    ['multipart/form-data; boundary=""'],
    ['multipart/form-data; boundary="x '],
    ['multipart/form-data; boundary="x "'],
    ['multipart/form-data; boundary=x y'],
    ['multipart/form-data; boundary =x'],
    ['multipart/form-data; boundary= x'],
    ['multipart/form-data; boundary=x; boundary=y'],
    ['multipart/form-data; boundary=x; Boundary=x'],
    ["multipart/form-data; boundary=x; boundary*=utf-8''y"],
    ['multipart/form-data; boundary=x; charset=utf-16'],
    ['multipart/form-data; boundary=x; charset=utf-80'],
    ['multipart/form-data; boundary=x; charset=wtf-utf-8'],
    ['application/x-forms; boundary=x; a="multipart/form-data"'],
    ['multipart/form-data; boundary=x, multipart/form-data; boundary=y'],
    ['multipart/form-data; boundary="x\\y"'],
    ['multipart/form-data; boundary=x(y'],
    ['multipart/form-data; boundary=a*b'],
    ['multipart/form-data; boundary="é"'],
    [`multipart/form-data; boundary=${'b'.repeat(71)}`],
    [`multipart/form-data; ${'a=b; '.repeat(10_000)}boundary`],
  ])('the Content-Type %j is rejected with invalid_content_type', (contentType) => {
    let refusal: Partial<GatewayError> = {};
    try {
      boundaryOf(contentType);
    } catch (error) {
      refusal = error as GatewayError;
    }
    expect(refusal.code).toBe('invalid_content_type');
    expect(refusal.message).toContain('multipart/form-data; boundary=…');
  });
});
