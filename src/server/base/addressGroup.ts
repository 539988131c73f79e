/** Groups IP addresses for limits: an attacker usually owns a whole IPv6 /64, and so does a household. */

/** The address, or its /64 for IPv6. */
export function addressGroup(address: string): string {
  if (!address.includes(':') || address.startsWith('::ffff:')) return address;
  const [head = [], tail] = address.split('::').map(half => (half === '' ? [] : half.split(':')));
  const missing = tail === undefined ? 0 : 8 - head.length - tail.length;
  return [...head, ...Array<string>(Math.max(0, missing)).fill('0'), ...(tail ?? [])].slice(0, 4).join(':');
}
