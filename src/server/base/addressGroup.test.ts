/** Groups of addresses: one for each IPv4 address and each IPv6 network, however the address is written. */
import { expect, test } from 'vitest';
import { addressGroup, networkGroup } from './addressGroup.ts';

test.each([
  [
    '192.0.2.7',
    [
      '192.0.2.7',
      '::ffff:192.0.2.7',
      '::FFFF:c000:207',
      '0:0:0:0:0:ffff:192.0.2.7',
      '::192.0.2.7',
      '64:ff9b::192.0.2.7',
      '64:FF9B:0:0::c000:0207',
    ],
  ],
  ['192.0.2.8', ['64:ff9b::192.0.2.8']],
  ['2001:db8:0::/48', ['2001:db8::1', '2001:DB8::1', '2001:0db8::1', '2001:db8:0000::192.0.2.7']],
  ['fe80:0:0::/48', ['fe80::1', 'fe80::1%eth0']],
  ['0:0:0::/48', ['::', '::1']],
  ['1:2:3::/48', ['1:2:3:4:5:6:7:8', '1:2:3::']],
  ['unknown', ['unknown']],
  ['a:b', ['a:b']],
])('visitors from %s share one group, however the address is written [RC-98]', (group, addresses) => {
  expect(addresses.map(networkGroup)).toEqual(addresses.map(() => group));
});

test('a /64 is one group, whether or not its addresses are shortened [RC-98]', () => {
  for (const address of ['2001:db8:0:1::9', '2001:0DB8::1:0:0:0:9'])
    expect(addressGroup(address)).toBe('2001:db8:0:1::/64');
  expect(addressGroup('64:ff9b::192.0.2.7')).toBe('192.0.2.7');
});
