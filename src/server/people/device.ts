/** What a browser says about itself, in words a customer recognises: "Firefox on Linux". Never the browser's own words. */
import { BROWSER_MAP, getParser, OS_MAP } from 'bowser';

const browsers = new Set(Object.values(BROWSER_MAP));
const systems = new Set(Object.values(OS_MAP));

/** No browser says as much; of whatever is longer the rest is not read. */
const readLetters = 300;

/**
 * Names browser and system, as far as they are known ones: of whatever else somebody sends not a letter is shown or
 * mailed. A claim like any other, never decided by.
 */
export function nameDevice(userAgent: string): string {
  if (userAgent === '') return unknown;
  const said = getParser(userAgent.slice(0, readLetters));
  const browser = among(browsers, said.getBrowserName());
  const system = among(systems, said.getOSName());
  if (browser && system) return `${browser} on ${system}`;
  return browser || system || unknown;
}

const unknown = 'Unknown device';

/** The parser repeats what a browser calls itself where it knows no such browser. */
function among(known: ReadonlySet<string>, name: string): string {
  return known.has(name) ? name : '';
}
