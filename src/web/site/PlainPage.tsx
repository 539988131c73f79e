/** A page of prose, set like the rest of the house: section heads hang in the margin, the text keeps a book's measure. */
import { Link } from 'react-router';
import { Icon } from '#web/ui/Icon.tsx';
import type { PageText } from './content/pages.ts';
import { PageTitle } from './PageTitle.tsx';
import './PlainPage.css';
import './site.css';

export function PlainPage({ text }: { text: PageText }) {
  return (
    <div className="Site">
      <PageTitle heading={text.heading} lead={text.lead} note={text.updated} picture={text.picture} />
      <div className="Site-wrap PlainPage">
        {text.sections.map(section => (
          <section key={section.heading}>
            <h2>{section.heading}</h2>
            <div className="PlainPage-body">
              {section.paragraphs.map(paragraph => (
                <p key={paragraph}>{paragraph}</p>
              ))}
              {section.list && (
                <ul>
                  {section.list.map(item => (
                    <li key={item.term}>
                      <b>{item.term}</b>
                      {item.text}
                    </li>
                  ))}
                </ul>
              )}
            </div>
          </section>
        ))}
        <nav className="PlainPage-next" aria-label="Read next">
          {text.next.map(link => (
            <Link className="Site-more" key={link.to} to={link.to}>
              {link.label}
              <Icon name="arrowRight" size={18} />
            </Link>
          ))}
        </nav>
      </div>
    </div>
  );
}
