/** The world map as data: loaded from an SVG file and parsed without inserting markup into the page. */

/** One country: `code` is its ISO 3166 numeric code, `d` its outline in the map's 1000 × 480 box. */
export type MapCountry = { code: string; name: string; d: string };

/** Loads and parses the map. Rejects if the file cannot be loaded; the page then has no map. */
export async function fetchWorldMap(): Promise<MapCountry[]> {
  const answer = await fetch('/world.svg');
  if (!answer.ok) throw new Error(`The map answered ${answer.status}`);
  const file = await answer.text();
  // Trusted Types forbid DOMParser here; the file is ours and has one simple path per country.
  return [...file.matchAll(/<path id="c(\d+)[^"]*" d="([^"]+)" data-name="([^"]+)"/g)].map(
    ([, code = '', d = '', name = '']) => ({ code, d, name: name.replaceAll('&amp;', '&') }),
  );
}
