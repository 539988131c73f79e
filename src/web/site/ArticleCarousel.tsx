/**
 * The article carousel: two articles at a time (one on phones), autoplaying. On a prerendered page it is a row that scrolls
 * sideways. The carousel library is loaded when the section comes near the viewport. With reduced motion, autoplay does not
 * start. The pause button stops autoplay. A pointer on the cards or focus in them suspends autoplay; choosing a page does not.
 */
import { type FocusEvent, type RefObject, useEffect, useRef, useState } from 'react';
import { carousel as rules } from '#contract/constants.ts';
import { classNames } from '#web/ui/classNames.ts';
import { ArticleTile } from './ArticleTile.tsx';
import type { Carousel } from './carousel.ts';
import type { ArticleCard } from './content/articleList.ts';
import { homeRestText } from './content/homeRest.ts';
import './ArticleCarousel.css';

const text = homeRestText.resources;

export type ArticleCarouselProps = {
  articles: readonly ArticleCard[];
  /** The index of the first visible card. The carousel starts there, and updates it when it moves. */
  card: RefObject<number>;
};

export function ArticleCarousel({ articles, card }: ArticleCarouselProps) {
  const box = useRef<HTMLDivElement>(null);
  const carousel = useRef<Carousel>(null);
  const [live, setLive] = useState(false);
  const [at, setAt] = useState({ page: 0, pages: Math.ceil(articles.length / rules.perView) });
  const [plays, setPlays] = useState(true);

  useEffect(() => {
    const place = box.current;
    if (!place) return;
    let gone = false;
    const watch = new IntersectionObserver(
      async entries => {
        if (!entries.some(entry => entry.isIntersecting)) return;
        watch.disconnect();
        const { startCarousel } = await import('./carousel.ts');
        if (gone) return;
        carousel.current = startCarousel(place, card.current, ({ card: first, ...now }) => {
          card.current = first;
          setAt(now);
        });
        setPlays(carousel.current.plays);
        setLive(true);
      },
      { rootMargin: '200px' },
    );
    watch.observe(place);
    return () => {
      gone = true;
      watch.disconnect();
      carousel.current?.end();
      carousel.current = null;
    };
  }, [card]);

  const press = () => {
    if (plays) carousel.current?.pause();
    else carousel.current?.play();
    setPlays(!plays);
  };
  const enter = (event: FocusEvent) => {
    const cards = [...event.currentTarget.children];
    carousel.current?.show(cards.findIndex(card => card.contains(event.target)));
    carousel.current?.pause();
  };
  const leave = (event: FocusEvent) => {
    if (plays && !event.currentTarget.contains(event.relatedTarget)) carousel.current?.play();
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
                // biome-ignore lint/suspicious/noArrayIndexKey: a page is identified by its index
                <li key={page}>
                  <button
                    type="button"
                    aria-label={text.pageLabel(page + 1, at.pages)}
                    aria-current={page === at.page}
                    onClick={() => carousel.current?.showPage(page)}
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
