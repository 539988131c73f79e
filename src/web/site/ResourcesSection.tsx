/**
 * The resources section: three paragraphs, a category filter and the article carousel. Its anchor is 'services'. Back from an
 * article returns to the chosen category and card.
 */
import { useEffect, useRef, useState } from 'react';
import * as homeMessages from '#contract/messages/home.ts';
import { useHydrated } from '#web/base/useHydrated.ts';
import { useLocation } from '#web/router/hooks.ts';
import { ArticleCarousel } from './ArticleCarousel.tsx';
import { articleList } from './content/articleList.ts';
import { homeRestText } from './content/homeRest.ts';
import './ResourcesSection.css';

const text = homeRestText.resources;
const all = homeMessages.filters[0];

const storedAs = 'articlesSeen';
type Seen = { filter: string; card: number };

/** What the reader saw last, by the key of the history entry. Stored, so that Back still returns there after a reload. */
const lastSeen = new Map<string, Seen>();
function restore(): void {
  try {
    const stored = JSON.parse(sessionStorage.getItem(storedAs) ?? '[]') as [string, Seen][];
    for (const [key, seen] of stored) if (!lastSeen.has(key)) lastSeen.set(key, seen);
  } catch {
    // Without storage, or with unreadable content, a reload loses the place.
  }
}
function keep(key: string, seen: Seen): void {
  lastSeen.set(key, seen);
  try {
    sessionStorage.setItem(storedAs, JSON.stringify([...lastSeen]));
  } catch {
    // Storage is full or blocked.
  }
}

export function ResourcesSection() {
  const { key } = useLocation();
  // A prerendered page shows all articles first.
  const hydrated = useHydrated();
  const [seen] = useState(() => {
    if (hydrated) restore();
    return hydrated ? lastSeen.get(key) : undefined;
  });
  const [filter, setFilter] = useState<string>(seen?.filter ?? all);
  const card = useRef(seen?.card ?? 0);
  useEffect(() => () => keep(key, { filter, card: card.current }), [key, filter]);
  const choose = (name: string) => {
    card.current = 0;
    setFilter(name);
  };
  const shown = articleList.filter(article => filter === all || article.category === filter);
  return (
    <section className="Site-band ResourcesSection" id="services">
      <div className="Site-wrap">
        <h2>{text.title}</h2>
        <div className="ResourcesSection-intro">
          {text.intro.map(paragraph => (
            <p key={paragraph}>{paragraph}</p>
          ))}
        </div>
        {/* biome-ignore lint/a11y/useSemanticElements: these buttons filter a list; they are not a form */}
        <div className="ResourcesSection-filters needs-script" role="group" aria-label={text.filterLabel}>
          {homeMessages.filters.map(name => (
            <button key={name} type="button" aria-pressed={name === filter} onClick={() => choose(name)}>
              {name}
            </button>
          ))}
        </div>
        <ArticleCarousel key={filter} articles={shown} card={card} />
      </div>
    </section>
  );
}
