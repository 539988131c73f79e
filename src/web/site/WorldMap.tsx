/** The world map. Its box has a fixed aspect ratio, so loading the map causes no layout shift. */
import { classNames } from '#web/ui/classNames.ts';
import { homeRestText, listedCountries } from './content/homeRest.ts';
import type { MapCountry } from './worldMap.ts';
import './WorldMap.css';

export type WorldMapProps = {
  /** Empty until the map is loaded. */
  countries: MapCountry[];
  /** ISO numeric code of the hovered country. */
  pointed: string | undefined;
  onPoint: (country: { code: string; name: string }) => void;
};

const listed = new Map<string, string>(listedCountries.map(country => [country.code, country.name]));
/** Too small for the map's scale, so it is drawn as a dot. */
const singapore = { code: '702', name: 'Singapore' };

export function WorldMap({ countries, pointed, onPoint }: WorldMapProps) {
  const look = (code: string) =>
    classNames(listed.has(code) && 'is-listed', code === pointed && 'is-pointed');
  return (
    <div className="WorldMap">
      {countries.length > 0 && (
        <svg viewBox="84 20 896 438" role="img" aria-label={homeRestText.reach.mapLabel}>
          {countries.map(country => (
            <path
              key={country.code + country.d.slice(0, 12)}
              d={country.d}
              className={look(country.code)}
              onPointerEnter={() =>
                onPoint({ code: country.code, name: listed.get(country.code) ?? country.name })
              }
            />
          ))}
          <circle
            cx="788"
            cy="247"
            r="4"
            className={look(singapore.code)}
            onPointerEnter={() => onPoint(singapore)}
          />
        </svg>
      )}
    </div>
  );
}
