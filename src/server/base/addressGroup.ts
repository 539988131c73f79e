/** Groups IP addresses for limits: an attacker usually owns a whole IPv6 /64, and so does a household. */

/**
 * The /64 of an IPv6 address, such as `2001:db8:0:1::/64`. An IPv4 address is its own group, even if written `::ffff:192.0.2.7`.
 */
export const addressGroup = (address: string): string => groupOf(address, 4);

/**
 * The /48 of an IPv6 address, such as `2001:db8:0::/48`. An IPv4 address is its own group. Used where all clients share a queue
 * or a limit, and to count guesses. Otherwise an attacker with many /64s would get a share of the queue, or a new count of
 * guesses, with each of them. Others in the same /48 wait longer, or are refused, only while someone in it floods the bank.
 */
export const networkGroup = (address: string): string => groupOf(address, 3);

function groupOf(address: string, blocks: number): string {
  if (!address.includes(':') || /^::ffff:/i.test(address)) return address.replace(/^::ffff:(?=[\d.]+$)/i, '');
  const [head = [], tail] = address.split('::').map(half => (half === '' ? [] : half.split(':')));
  const missing = tail === undefined ? 0 : 8 - head.length - tail.length;
  const all = [...head, ...Array<string>(Math.max(0, missing)).fill('0'), ...(tail ?? [])];
  return `${all.slice(0, blocks).join(':')}::/${16 * blocks}`;
}

/**
 * The addresses of an `X-Forwarded-For` header without the ports and brackets that some proxies add (`192.0.2.7:5`,
 * `[2001:db8::1]:443`, `[2001:db8::1]`). With its port, a client would have a new address for each connection.
 */
export const withoutPorts = (forwardedFor: string): string =>
  forwardedFor
    .split(',')
    .map(entry => entry.trim().replace(/^\[([^\]]*)\](?::\d+)?$|^([^:]*):\d+$/, '$1$2'))
    .join(', ');
