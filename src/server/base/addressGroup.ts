/** Groups IP addresses for limits: an attacker usually owns a whole IPv6 /64, and so does a household. */

/** For IPv6 the /64, such as `2001:db8:0:1::/64`; for IPv4, also in IPv6 notation (`::ffff:192.0.2.7`), the address itself. */
export const addressGroup = (address: string): string => groupOf(address, 4);

/**
 * For IPv6 the /48, such as `2001:db8:0::/48`; for IPv4 the address itself. Used where all clients share a queue or a limit,
 * and to count guesses: an attacker with many /64s must not get a share for each, or be counted once for each. Others in the
 * same /48 wait longer, or are refused, only while someone in it floods the bank.
 */
export const networkGroup = (address: string): string => groupOf(address, 3);

function groupOf(address: string, blocks: number): string {
  if (!address.includes(':') || address.startsWith('::ffff:')) return address;
  const [head = [], tail] = address.split('::').map(half => (half === '' ? [] : half.split(':')));
  const missing = tail === undefined ? 0 : 8 - head.length - tail.length;
  const all = [...head, ...Array<string>(Math.max(0, missing)).fill('0'), ...(tail ?? [])];
  return `${all.slice(0, blocks).join(':')}::/${16 * blocks}`;
}
