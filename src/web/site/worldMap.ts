/** The world map as data: fetched from its own SVG file and read without writing markup into the page. */

/** One country: `code` is its ISO 3166 numeric code, `d` its outline in the map's 1000 × 480 box. */
export type MapCountry = { code: string; name: string; d: string };

/** Fetches and reads the map. Rejects when the file cannot be had; the page then stays without a map. */
export async function fetchWorldMap(): Promise<MapCountry[]> {
  const answer = await fetch('/world.svg');
  if (!answer.ok) throw new Error(`The map answered ${answer.status}`);
  const file = await answer.text();
  // Trusted Types forbid a parser here; the file is ours and has one plain path per country.
  return [...file.matchAll(/<path id="c(\d+)[^"]*" d="([^"]+)" data-name="([^"]+)"/g)].map(
    ([, code = '', d = '', name = '']) => ({ code, d, name: name.replaceAll('&amp;', '&') }),
  );
}
