/** Turns a User-Agent header into a device name that a customer recognizes, such as "Firefox on Linux". */
import { BROWSER_MAP, getParser, OS_MAP } from 'bowser';

const browsers = new Set(Object.values(BROWSER_MAP));
const systems = new Set(Object.values(OS_MAP));

/** Longer than any browser's header; the rest is ignored. */
const maxLength = 300;

/**
 * Browser and system by their known names. Nothing else from the header is ever shown or mailed. The header can be forged, so
 * it must not decide about access.
 */
export function nameDevice(userAgent: string): string {
  if (userAgent === '') return unknown;
  const parsed = getParser(userAgent.slice(0, maxLength));
  const browser = ifKnown(browsers, parsed.getBrowserName());
  const system = ifKnown(systems, parsed.getOSName());
  if (browser && system) return `${browser} on ${system}`;
  return browser || system || unknown;
}

const unknown = 'Unknown device';

/** For an unknown browser the parser returns the header's own text: drop it. */
function ifKnown(known: ReadonlySet<string>, name: string): string {
  return known.has(name) ? name : '';
}
