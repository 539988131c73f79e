/** The resources section: three paragraphs, a category filter and the article carousel. Its anchor is 'services'. */
import { useState } from 'react';
import * as homeMessages from '#contract/messages/home.ts';
import { ArticleCarousel } from './ArticleCarousel.tsx';
import { articleList } from './content/articleList.ts';
import { homeRestText } from './content/homeRest.ts';
import './ResourcesSection.css';

const text = homeRestText.resources;
const all = homeMessages.filters[0];

export function ResourcesSection() {
  const [filter, setFilter] = useState<string>(all);
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
            <button key={name} type="button" aria-pressed={name === filter} onClick={() => setFilter(name)}>
              {name}
            </button>
          ))}
        </div>
        <ArticleCarousel key={filter} articles={shown} />
      </div>
    </section>
  );
}
