/** Device names: only known browsers and systems, never text from the header itself. */
import { expect, test } from 'vitest';
import { nameDevice } from './device.ts';

test('a browser is named with its system, and without a header the device is unknown', () => {
  const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0';
  const safari =
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1';
  expect(nameDevice(firefox)).toBe('Firefox on Linux');
  expect(nameDevice(safari)).toBe('Safari on iOS');
  expect(nameDevice('')).toBe('Unknown device');
});

test.each([
  'Your account is locked, call 1-800-555-0199/1.0 ',
  'Call 1-800-555-0199 at once/1.0 (anything)',
  'https://evil.example/login/1.0 ',
  `${'A'.repeat(280)}/1.0 (`,
  '\u202eknab/1.0 (x)',
  'one\u0000two\u001b[31m/1.0 (x)',
  '=?utf-8?q?bank?=/1.0 (x)',
  '<b>bold</b>/1.0 (x)',
  'constructor/1.0 (x)',
])('no text from a made-up header is shown: %j', userAgent => {
  expect(nameDevice(userAgent)).toBe('Unknown device');
});

test('an unknown browser on a known system is shown as the system', () => {
  expect(nameDevice('Call us now/1.0 (X11; Linux x86_64)')).toBe('Linux');
  expect(nameDevice(`${'x'.repeat(200)} Windows NT 10.0 evil.example/1.0 (`)).toBe('Windows');
});

test('only the beginning of an overlong header is read', () => {
  const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0';
  expect(nameDevice(`${firefox} ${'x'.repeat(100_000)}`)).toBe('Firefox on Linux');
  expect(nameDevice(`${'x'.repeat(300)} ${firefox}`)).toBe('Unknown device');
});
