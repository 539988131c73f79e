/** Codes of authenticator apps, with the test vectors of RFC 6238. */
import { expect, test } from 'vitest';
import { codeOf, findStep, makeUri, toBase32 } from './totp.ts';

const secret = Buffer.from('12345678901234567890');

test('codes are those of RFC 6238, appendix B, in six digits [SF-02]', () => {
  const vectors = { 59: '287082', 1111111109: '081804', 1234567890: '005924', 20000000000: '353130' };
  for (const [seconds, code] of Object.entries(vectors))
    expect(codeOf(secret, Math.floor(Number(seconds) / 30))).toBe(code);
});

test('a code is found in its own step and in the steps next to it', () => {
  const code = codeOf(secret, 100);
  expect([98, 99, 100, 101, 102].map(step => findStep(secret, code, step * 30 + 7))).toEqual([
    undefined,
    100,
    100,
    100,
    undefined,
  ]);
  expect(findStep(secret, '12345', 3000)).toBeUndefined();
});

test('the secret in the QR code is in Base32 (RFC 4648), with bank and account', () => {
  expect(toBase32(Buffer.from('foobar'))).toBe('MZXW6YTBOI');
  expect(makeUri(secret, 'ada+1@bank.example')).toBe(
    'otpauth://totp/Larkspur%20Bank%3Aada%2B1%40bank.example?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Larkspur%20Bank',
  );
});
