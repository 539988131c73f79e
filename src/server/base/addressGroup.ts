/** Groups IP addresses for limits: an attacker usually owns a whole IPv6 /64, and so does a household. */

/** The address, or its /64 for IPv6, as `2001:db8:0:1::/64`. */
export const addressGroup = (address: string): string => groupOf(address, 4);

/**
 * The address, or its /48 for IPv6, as `2001:db8:0::/48`: for shares of a queue or another limit of all clients, and for counting
 * guesses. An attacker with many /64s must not get a share for each, or be counted once for each. Others in the same /48 wait
 * longer, or are refused, only while someone in it floods the bank.
 */
export const networkGroup = (address: string): string => groupOf(address, 3);

function groupOf(address: string, blocks: number): string {
  if (!address.includes(':') || address.startsWith('::ffff:')) return address;
  const [head = [], tail] = address.split('::').map(half => (half === '' ? [] : half.split(':')));
  const missing = tail === undefined ? 0 : 8 - head.length - tail.length;
  const all = [...head, ...Array<string>(Math.max(0, missing)).fill('0'), ...(tail ?? [])];
  return `${all.slice(0, blocks).join(':')}::/${16 * blocks}`;
}
