/**
 * The articles, two at a time, turning by themselves. As prerendered it is a row that can be pushed sideways; what turns it
 * is fetched when it comes near. A page of it, once chosen, does not stop it: only the pause button does, and, as long as
 * they last, a pointer on the cards, the focus in them, and a wish for less motion.
 */
import { type FocusEvent, useEffect, useRef, useState } from 'react';
import { carousel } from '#contract/constants.ts';
import { classNames } from '#web/ui/classNames.ts';
import { ArticleTile } from './ArticleTile.tsx';
import type { ArticleCard } from './content/articleList.ts';
import { homeRestText } from './content/homeRest.ts';
import type { Turning } from './turning.ts';
import './ArticleCarousel.css';

const text = homeRestText.resources;

export function ArticleCarousel({ articles }: { articles: readonly ArticleCard[] }) {
  const box = useRef<HTMLDivElement>(null);
  const turning = useRef<Turning>(null);
  const [live, setLive] = useState(false);
  const [at, setAt] = useState({ page: 0, pages: Math.ceil(articles.length / carousel.perView) });
  const [plays, setPlays] = useState(true);

  useEffect(() => {
    const place = box.current;
    if (!place) return;
    let gone = false;
    const watch = new IntersectionObserver(
      async entries => {
        if (!entries.some(entry => entry.isIntersecting)) return;
        watch.disconnect();
        const { startTurning } = await import('./turning.ts');
        if (gone) return;
        turning.current = startTurning(place, setAt);
        setPlays(turning.current.plays);
        setLive(true);
      },
      { rootMargin: '200px' },
    );
    watch.observe(place);
    return () => {
      gone = true;
      watch.disconnect();
      turning.current?.end();
      turning.current = null;
    };
  }, []);

  const press = () => {
    if (plays) turning.current?.pause();
    else turning.current?.play();
    setPlays(!plays);
  };
  const enter = (event: FocusEvent) => {
    const cards = [...event.currentTarget.children];
    turning.current?.show(cards.findIndex(card => card.contains(event.target)));
    turning.current?.pause();
  };
  const leave = (event: FocusEvent) => {
    if (plays && !event.currentTarget.contains(event.relatedTarget)) turning.current?.play();
  };

  return (
    <div className={classNames('ArticleCarousel', live && 'is-live')}>
      <div className="ArticleCarousel-box" ref={box}>
        <ul className="ArticleCarousel-row" aria-label={text.listLabel} onFocus={enter} onBlur={leave}>
          {articles.map(article => (
            <li className="ArticleCarousel-card" key={article.slug}>
              <ArticleTile article={article} />
            </li>
          ))}
        </ul>
      </div>
      <div className="ArticleCarousel-foot">
        {at.pages > 1 && (
          <>
            <ol className="ArticleCarousel-pages" aria-label={text.pagesLabel}>
              {Array.from({ length: at.pages }, (_, page) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a page is its place
                <li key={page}>
                  <button
                    type="button"
                    aria-label={text.pageLabel(page + 1, at.pages)}
                    aria-current={page === at.page}
                    onClick={() => turning.current?.turnTo(page)}
                  />
                </li>
              ))}
            </ol>
            <button
              type="button"
              className={classNames('ArticleCarousel-pause', !plays && 'is-paused')}
              onClick={press}
            >
              {plays ? text.pause : text.play}
            </button>
          </>
        )}
      </div>
    </div>
  );
}
