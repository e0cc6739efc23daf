import { describe, expect, test } from '@jest/globals';
import { maskedUrl, urlProblem } from '../../../src/audit/events/webhook-target.rules.js';
import { isGlobalUnicast } from '../../../src/audit/events/public-address.rules.js';

/** The first and last address of each range that is not public. */
const REJECTED = [
  ['0.0.0.0', '0.255.255.255'],
  ['10.0.0.0', '10.255.255.255'],
  ['100.64.0.0', '100.127.255.255'],
  ['127.0.0.0', '127.255.255.255'],
  ['169.254.0.0', '169.254.169.254', '169.254.255.255'],
  ['172.16.0.0', '172.31.255.255'],
  ['192.0.0.0', '192.0.0.255'],
  ['192.0.2.0', '192.0.2.255'],
  ['192.88.99.0', '192.88.99.255'],
  ['192.168.0.0', '192.168.255.255'],
  ['198.18.0.0', '198.19.255.255'],
  ['198.51.100.0', '198.51.100.255'],
  ['203.0.113.0', '203.0.113.255'],
  ['224.0.0.0', '239.255.255.255'],
  ['240.0.0.0', '255.255.255.255'],
].flat();

/** Public addresses, most of them next to one of these ranges. */
const PUBLIC = [
  '1.0.0.0',
  '1.1.1.1',
  '8.8.8.8',
  '9.255.255.255',
  '11.0.0.0',
  '100.63.255.255',
  '100.128.0.0',
  '126.255.255.255',
  '128.0.0.0',
  '169.253.255.255',
  '169.255.0.0',
  '172.15.255.255',
  '172.32.0.0',
  '191.255.255.255',
  '192.0.1.0',
  '192.0.3.0',
  '192.88.98.255',
  '192.88.100.0',
  '192.167.255.255',
  '192.169.0.0',
  '198.17.255.255',
  '198.20.0.0',
  '198.51.99.255',
  '198.51.101.0',
  '203.0.112.255',
  '203.0.114.0',
  '223.255.255.255',
];

const IPV6_REJECTED = [
  '::',
  '::1',
  '0:0:0:0:0:0:0:1',
  '::7f00:1',
  '::8.8.8.8',
  '::ffff:0:8.8.8.8',
  '100::',
  '100::1',
  'fc00::1',
  'fd00:ec2::254',
  'fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff',
  'fe80::1',
  'fe80::1%eth0',
  'febf::1',
  'fec0::1',
  'ff02::1',
  'ff0e::1',
  '2001::1',
  '2001:0:4136:e378:8000:63bf:3fff:fdd2',
  '2001:2::1',
  '2001:10::1',
  '2001:20::1',
  '2001:1ff:ffff::1',
  '2001:db8::1',
  '2001:db8:ffff::1',
  '3fff::1',
  '3fff:fff::1',
  '5f00::1',
  '64:ff9b:1::8.8.8.8',
  '4000::1',
  '1fff:ffff::1',
  '8000::1',
];
const IPV6_PUBLIC = [
  '2000::1',
  '2001:200::1',
  '2001:4860:4860::8888',
  '2606:4700:4700::1111',
  '2A00:1450::1',
  '3ffe::1',
];

describe('isGlobalUnicast', () => {
  test.each(REJECTED)('%s is rejected as a target', (address) => {
    expect(isGlobalUnicast(address)).toBe(false);
  });

  test.each(PUBLIC)('%s is accepted as a target', (address) => {
    expect(isGlobalUnicast(address)).toBe(true);
  });

  test.each(IPV6_REJECTED)('%s is rejected as a target', (address) => {
    expect(isGlobalUnicast(address)).toBe(false);
  });

  test.each(IPV6_PUBLIC)('%s is accepted as a target', (address) => {
    expect(isGlobalUnicast(address)).toBe(true);
  });

  test('an IPv4 address inside IPv6 is checked as the IPv4 address', () => {
    const hex = (address: string) => {
      const [a, b, c, d] = address.split('.').map((byte) => Number(byte).toString(16).padStart(2, '0'));
      return [`${a}${b}`, `${c}${d}`].join(':');
    };
    const forms = (address: string) => [
      `::ffff:${address}`,
      `::ffff:${hex(address)}`,
      `0:0:0:0:0:FFFF:${hex(address)}`,
      `64:ff9b::${address}`,
      `64:ff9b::${hex(address)}`,
      `2002:${hex(address)}::`,
      `2002:${hex(address)}:1::5`,
    ];
    expect(REJECTED.flatMap(forms).filter(isGlobalUnicast)).toEqual([]);
    expect(PUBLIC.flatMap(forms).filter((address) => !isGlobalUnicast(address))).toEqual([]);
  });

  test.each(['', 'example.com', '1.2.3', '1.2.3.4.5', '256.1.1.1', '1.2.3.-4', '2000:::1', '2000::1::1', ':2000::1'])(
    'an invalid address such as %j is rejected as a target',
    (text) => {
      expect(isGlobalUnicast(text)).toBe(false);
    },
  );

  test.each(['2000:1:2:3:4:5:6', '2000:1:2:3:4:5:6:7:8', '2000:1:2:3:4:5:6:7::', '20000::1', '2000::g', '[2000::1]'])(
    'an invalid address such as %j is rejected as a target',
    (text) => {
      expect(isGlobalUnicast(text)).toBe(false);
    },
  );
});

const PUBLIC_URLS = [
  'http://example.com',
  'https://example.com/hooks?token=1#x',
  'HTTPS://EXAMPLE.com:8443/',
  'http://8.8.8.8/',
  'http://[2606:4700::1111]:80/x',
  'http://[::ffff:8.8.8.8]/',
  'https://xn--bcher-kva.example',
  'https://bücher.example',
  'http://example.com./',
  'http://134744072/',
  'http://10.example.com/',
  'http://local.example/',
  'http://localhost.example/',
];

/** Local names, and every notation of a private address that the URL parser accepts. */
const PRIVATE_URLS = [
  'http://127.0.0.1/',
  'https://127.0.0.1:8443/x',
  'http://127.1/',
  'http://2130706433/',
  'http://0x7f000001/',
  'http://0x7f.1/',
  'http://0177.0.0.1/',
  'http://017700000001/',
  'http://127.0.0.1./',
  'http://0/',
  'http://0.0.0.0/',
  'http://[::1]/',
  'http://[::]/',
  'http://[0:0:0:0:0:0:0:1]:80/',
  'http://[::ffff:127.0.0.1]/',
  'http://[::ffff:7f00:1]/',
  'http://[fd00::1]/',
  'http://[fe80::1]/',
  'http://[64:ff9b::10.0.0.1]/',
  'http://[2002:7f00:1::]/',
  'http://[ff02::1]/',
  'http://10.0.0.1/',
  'http://169.254.169.254/latest/meta-data',
  'http://192.168.1.1/',
  'http://100.64.0.1/',
  'http://224.0.0.1/',
  'http://192.0.2.1/',
  'http://[2001:db8::1]/',
  'http://255.255.255.255/',
  'http://localhost/',
  'http://LOCALHOST:3000/',
  'http://localhost./',
  'http://%6cocalhost/',
  'http://a.localhost/',
  'http://a.b.localhost./',
  'http://printer.local/',
  'http://Printer.LOCAL./',
  'http://postgres/',
  'http://intranet:8080/',
  'http://１２７.0.0.1/',
  'http://ⓛⓞⓒⓐⓛⓗⓞⓢⓣ/',
];

const NO_URLS = [
  '',
  'example.com',
  '/hooks',
  'ftp://example.com/',
  'file:///etc/passwd',
  'javascript:alert(1)',
  'http:example.com',
  'http://',
  'https:///example.com',
  'http:\\\\example.com',
  'http://exa mple.com/',
  'http://example.com/a b',
  'http://example.com\n/',
  ' http://example.com',
  'http://[::1',
  'http://example.com:99999/',
  'http://1.2.3.256/',
];

const CREDENTIALS = ['http://user@example.com/', 'http://user:pass@example.com/', 'https://:pass@example.com/'];

describe('urlProblem', () => {
  test.each(PUBLIC_URLS)('%s is accepted as a webhook URL', (url) => {
    expect(urlProblem(url, false)).toBeNull();
  });

  test.each(PRIVATE_URLS)('%s is accepted as a webhook URL only if private targets are allowed', (url) => {
    expect(urlProblem(url, false)).toMatch(/public host/);
    expect(urlProblem(url, true)).toBeNull();
  });

  test.each(NO_URLS)('%j is rejected as a webhook URL', (url) => {
    expect([urlProblem(url, false), urlProblem(url, true)]).toEqual(
      Array(2).fill(expect.stringMatching(/starts with http/)),
    );
  });

  test.each(CREDENTIALS)('a webhook URL with credentials is rejected: %s', (url) => {
    expect([urlProblem(url, false), urlProblem(url, true)]).toEqual(Array(2).fill(expect.stringMatching(/password/)));
  });
});

describe('masked URLs', () => {
  test.each([
    ['https://hooks.example.com/services/T0/B0/secret', 'https://hooks.example.com/…'],
    ['https://hooks.example.com/?token=secret', 'https://hooks.example.com/…'],
    ['https://hooks.example.com?token=secret', 'https://hooks.example.com/…'],
    ['https://hooks.example.com#secret', 'https://hooks.example.com/…'],
    ['https://secret@hooks.example.com', 'https://hooks.example.com/'],
    ['HTTPS://user:secret@Hooks.Example.com:8443/a', 'https://hooks.example.com:8443/…'],
    ['http://[2001:db8::1]/secret', 'http://[2001:db8::1]/…'],
    ['https://hooks.example.com/', 'https://hooks.example.com/'],
    ['https://hooks.example.com/…', 'https://hooks.example.com/…'],
    ['https://hooks.example.com/a?…', 'https://hooks.example.com/…'],
    ['secret', '…'],
    ['mailto:secret', '…'],
  ])('%s is shown as %s', (url, shown) => {
    expect(maskedUrl(url)).toBe(shown);
  });
});
