/** The network that an address belongs to, as coarsely as a person moves within it. */
import { isIPv6 } from 'node:net';

/** The provider's part of an address: a phone has another one of the same network every day. */
export function networkOf(address: string): string {
  const plain = address.replace(/^::ffff:(?=[\d.]+$)/i, '');
  return isIPv6(plain) ? plain.split(':').slice(0, 2).join(':') : plain.split('.').slice(0, 2).join('.');
}
