/** Whether somebody comes from where they have come from before. Told to its person, never decided by: both can be made up. */
import { isIPv6 } from 'node:net';
import { nameDevice } from './device.ts';

type Seen = { userAgent: string; address: string };

/**
 * True where such a device (browser and system, whatever their versions) was seen, and the network too, perhaps with another
 * device; and for a first login, which is new in everything.
 */
export function isFamiliar(arrival: Seen, before: readonly Seen[]): boolean {
  if (before.length === 0) return true;
  const device = nameDevice(arrival.userAgent);
  const network = networkOf(arrival.address);
  return (
    before.some(one => nameDevice(one.userAgent) === device) &&
    before.some(one => networkOf(one.address) === network)
  );
}

/** The provider's part of an address: a phone has another one of the same network every day. */
function networkOf(address: string): string {
  const plain = address.replace(/^::ffff:(?=[\d.]+$)/i, '');
  return isIPv6(plain) ? plain.split(':').slice(0, 2).join(':') : plain.split('.').slice(0, 2).join('.');
}
