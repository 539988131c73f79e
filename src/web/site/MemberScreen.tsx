/** One author: portrait, a few sentences, and their articles and events. */
import { ArticleTile } from './ArticleTile.tsx';
import { articleList } from './content/articleList.ts';
import { eventList } from './content/eventList.ts';
import { type MemberSlug, memberNames } from './content/memberNames.ts';
import { memberTexts, memberWords } from './content/members.ts';
import { EventTile } from './EventTile.tsx';
import './MemberScreen.css';
import './site.css';

export function MemberScreen({ slug }: { slug: MemberSlug }) {
  const { name, desk, portrait } = memberNames[slug];
  const { lead, paragraphs } = memberTexts[slug];
  const [firstName = name] = name.split(' ');
  const articles = articleList.filter(one => one.author === slug);
  const events = eventList.filter(one => one.author === slug);
  return (
    <div className="Site">
      <section className="Site-wrap MemberScreen">
        <img src={portrait} alt="" width={400} height={400} />
        <div>
          <p className="MemberScreen-desk">{desk}</p>
          <h1>{name}</h1>
          <p className="Site-lead">{lead}</p>
          {paragraphs.map(paragraph => (
            <p key={paragraph}>{paragraph}</p>
          ))}
        </div>
      </section>
      <section className="Site-band Site-band--sunken">
        <div className="Site-wrap">
          <h2>{memberWords.articles(firstName)}</h2>
          <ul className="Site-pair MemberScreen-list">
            {articles.map(article => (
              <li key={article.slug}>
                <ArticleTile article={article} />
              </li>
            ))}
          </ul>
        </div>
      </section>
      <section className="Site-band">
        <div className="Site-wrap">
          <h2>{memberWords.events(firstName)}</h2>
          <ul className="Site-pair MemberScreen-list">
            {events.map(event => (
              <li key={event.slug}>
                <EventTile event={event} wide={events.length === 1} />
              </li>
            ))}
          </ul>
        </div>
      </section>
    </div>
  );
}
