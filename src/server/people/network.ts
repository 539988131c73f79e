/** Groups IP addresses into networks, to recognize where a person usually logs in from. */
import { isIPv6 } from 'node:net';

/**
 * The first 16 bits of an IPv4 address or the first 32 bits of an IPv6 address, because a phone often changes its address
 * within a network.
 */
export function networkOf(address: string): string {
  const plain = address.replace(/^::ffff:(?=[\d.]+$)/i, '');
  return isIPv6(plain) ? plain.split(':').slice(0, 2).join(':') : plain.split('.').slice(0, 2).join('.');
}
