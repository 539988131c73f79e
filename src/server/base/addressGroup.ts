/** Groups IP addresses for limits: an attacker usually owns a whole IPv6 /64, and so does a household. */
import { isIPv6 } from 'node:net';

/** The /64 of an IPv6 address, such as `2001:db8:0:1::/64`. An IPv4 address is its own group, even if written as IPv6. */
export const addressGroup = (address: string): string => groupOf(address, 4);

/**
 * The /48 of an IPv6 address, such as `2001:db8:0::/48`. An IPv4 address is its own group. Used where all clients share a queue
 * or a limit, and to count guesses. Otherwise an attacker with many /64s would get a share of the queue, or a new count of
 * guesses, with each of them. Others in the same /48 wait longer, or are refused, only while someone in it floods the bank.
 */
export const networkGroup = (address: string): string => groupOf(address, 3);

function groupOf(address: string, blocks: number): string {
  const plain = plainAddress(address);
  return isIPv6(plain) ? `${plain.split(':').slice(0, blocks).join(':')}::/${16 * blocks}` : plain;
}

/**
 * Matches an IPv4 address that is written as IPv6: `::ffff:192.0.2.7`, `::192.0.2.7` or, behind NAT64 (RFC 6052),
 * `64:ff9b::192.0.2.7`. The groups are its last two blocks.
 */
const embedded = /^(?:0:0:0:0:0:ffff|0:0:0:0:0:0(?!:0:)|64:ff9b:0:0:0:0):(\w+):(\w+)$/;

/**
 * The one spelling of an address: eight blocks without leading zeros for IPv6 (`2001:db8:0:0:0:0:0:1`), `192.0.2.7` for IPv4,
 * even if written as IPv6. Returns anything else unchanged.
 */
export function plainAddress(address: string): string {
  if (!isIPv6(address)) return address;
  // Node's sockets write every IPv4 client like this, so it is not parsed.
  if (/^::ffff:\d+\.[\d.]+$/.test(address)) return address.slice(7);
  const { hostname } = new URL(`http://[${address.replace(/%.*/, '')}]`);
  const [head = [], tail] = hostname
    .slice(1, -1)
    .split('::')
    .map(half => (half === '' ? [] : half.split(':')));
  const blocks = tail ? [...head, ...Array<string>(8 - head.length - tail.length).fill('0'), ...tail] : head;
  return blocks.join(':').replace(embedded, (_, high: string, low: string) =>
    [high, low]
      .map(block => Number.parseInt(block, 16))
      .flatMap(block => [block >> 8, block & 255])
      .join('.'),
  );
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
