/** One article: cover, lead, text, author, and two more articles to read. */

import { PhoneText } from '#web/bank/PhoneText.tsx';
import { ArticleTile } from './ArticleTile.tsx';
import { ByLine } from './ByLine.tsx';
import { articleList } from './content/articleList.ts';
import type { ArticleTable, ArticleText } from './content/articleShape.ts';
import { articleWords } from './content/articleWords.ts';
import { MoreLink } from './MoreLink.tsx';
import { PageTitle } from './PageTitle.tsx';
import './ArticleScreen.css';
import './site.css';

/** Amounts and counts, which are right-aligned: `$1,234.50`, `+0.1`, `92 months`. The first column names the row. */
const isNumeric = (table: ArticleTable, column: number) =>
  column > 0 && table.rows.every(row => /^[+−]?\$?\d/.test(row[column] ?? ''));

function Figures({ table }: { table: ArticleTable }) {
  const align = (column: number) => (isNumeric(table, column) ? 'is-number' : undefined);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls sideways must be reachable by keyboard
    <section className="ArticleScreen-table" aria-label={table.caption} tabIndex={0}>
      <table>
        <caption>{table.caption}</caption>
        <thead>
          <tr>
            {table.head.map((title, column) => (
              <th scope="col" key={title} className={align(column)}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {table.rows.map(row => (
            <tr key={row.join()}>
              {row.map((cell, column) => (
                <td key={table.head[column]} className={align(column)}>
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

const wordsPerMinute = 220;

/** Reading time in minutes, from all words of the text. */
function minutesToRead(text: ArticleText): number {
  const texts = text.flatMap(({ heading = '', paragraphs, points = [], table, keep = '' }) => [
    heading,
    ...paragraphs,
    ...points,
    ...(table ? [table.caption, ...table.head, ...table.rows.flat()] : []),
    keep,
  ]);
  const words = texts.join(' ').split(/\s+/).length;
  return Math.max(1, Math.round(words / wordsPerMinute));
}

export function ArticleScreen({ slug, text }: { slug: string; text: ArticleText }) {
  const place = articleList.findIndex(one => one.slug === slug);
  const article = articleList[place];
  if (!article) return null;
  const related = articleList.filter(one => one.category === article.category && one !== article);
  const following = [1, 2].map(step => articleList[(place + step) % articleList.length]!);
  const next = [...new Set([...related, ...following])].slice(0, 2);
  return (
    <div className="Site">
      <article>
        <PageTitle
          above={article.category === 'research' ? articleWords.research : article.category}
          heading={article.title}
          lead={article.description}
          picture={article.image}
        />
        <div className="Site-wrap ArticleScreen">
          <aside>
            <ByLine author={article.author} size="m" />
            <p className="ArticleScreen-time">{articleWords.minutes(minutesToRead(text))}</p>
          </aside>
          <div className="ArticleScreen-text">
            {text.map(section => (
              <section key={section.heading ?? section.paragraphs[0] ?? section.keep}>
                {section.heading && <h2>{section.heading}</h2>}
                {section.paragraphs.map(paragraph => (
                  <p key={paragraph}>
                    <PhoneText>{paragraph}</PhoneText>
                  </p>
                ))}
                {section.table && <Figures table={section.table} />}
                {section.points && (
                  <ul>
                    {section.points.map(point => (
                      <li key={point}>{point}</li>
                    ))}
                  </ul>
                )}
                {section.keep && <p className="ArticleScreen-keep">{section.keep}</p>}
              </section>
            ))}
            <p className="ArticleScreen-general">{articleWords.general}</p>
          </div>
        </div>
      </article>
      <section className="Site-band Site-band--sunken ArticleScreen-next">
        <div className="Site-wrap">
          <div className="Site-head">
            <h2>{articleWords.next}</h2>
            <MoreLink to="/#services">{articleWords.all}</MoreLink>
          </div>
          <ul className="Site-pair">
            {next.map(one => (
              <li key={one.slug}>
                <ArticleTile article={one} />
              </li>
            ))}
          </ul>
        </div>
      </section>
    </div>
  );
}
