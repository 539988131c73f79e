/** The countries of listed banks: a map for the pointer, and the same countries as a list for the keyboard. */
import { useEffect, useRef, useState } from 'react';
import { Ranges } from '#web/ui/Ranges.tsx';
import { homeRestText, listedCountries } from './content/homeRest.ts';
import { WorldMap } from './WorldMap.tsx';
import { fetchWorldMap, type MapCountry } from './worldMap.ts';
import './ReachSection.css';

const text = homeRestText.reach;

export function ReachSection() {
  const section = useRef<HTMLElement>(null);
  const [countries, setCountries] = useState<MapCountry[]>([]);
  const [pointed, setPointed] = useState<{ code: string; name: string } | null>(null);

  useEffect(() => {
    if (!section.current) return;
    const watch = new IntersectionObserver(
      entries => {
        if (!entries.some(entry => entry.isIntersecting)) return;
        watch.disconnect();
        fetchWorldMap().then(setCountries, () => {});
      },
      { rootMargin: '200px' },
    );
    watch.observe(section.current);
    return () => watch.disconnect();
  }, []);

  const listed = listedCountries.some(country => country.code === pointed?.code);
  return (
    <section className="Site-band" ref={section}>
      <div className="Site-wrap ReachSection">
        <div>
          <h2>{text.title}</h2>
          <p className="Site-lead">
            <Ranges>{text.lead}</Ranges>
          </p>
          <p className="ReachSection-say" aria-live="polite">
            <b>{pointed?.name ?? text.idle}</b>
            <span>
              <Ranges>{pointed ? (listed ? text.listed : text.unlisted) : text.idleNote}</Ranges>
            </span>
          </p>
        </div>
        <div>
          <WorldMap countries={countries} pointed={pointed?.code} onPoint={setPointed} />
          <ul className="ReachSection-list" aria-label={text.listLabel}>
            {listedCountries.map(country => (
              <li key={country.code}>
                <button
                  type="button"
                  aria-pressed={pointed?.code === country.code}
                  onClick={() => setPointed(country)}
                  onPointerEnter={() => setPointed(country)}
                >
                  {country.name}
                </button>
              </li>
            ))}
          </ul>
        </div>
      </div>
    </section>
  );
}
