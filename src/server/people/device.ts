/** What a browser says about itself, in words a customer recognises: "Firefox on Linux". */
import { getParser } from 'bowser';

/** Names browser and system, as far as they are said; a claim like any other, shown and never decided by. */
export function nameDevice(userAgent: string): string {
  if (userAgent === '') return unknown;
  const said = getParser(userAgent);
  const [browser, system] = [said.getBrowserName(), said.getOSName()];
  if (browser && system) return `${browser} on ${system}`;
  return browser || system || unknown;
}

const unknown = 'Unknown device';
