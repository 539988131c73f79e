/** Groups IP addresses into networks, to recognize where a person usually logs in from. */
import { isIPv6 } from 'node:net';
import { plainAddress } from '../base/addressGroup.ts';

/**
 * The first 16 bits of an IPv4 address or the first 32 bits of an IPv6 address, because a phone often changes its address
 * within a network.
 */
export function networkOf(address: string): string {
  const plain = plainAddress(address);
  const separator = isIPv6(plain) ? ':' : '.';
  return plain.split(separator).slice(0, 2).join(separator);
}
