/** A page of text: section headings in the margin, a readable line length. */
import { Ranges } from '#web/ui/Ranges.tsx';
import { type PageText, pageTexts } from './content/pages.ts';
import { DaysDiagram } from './DaysDiagram.tsx';
import { MoreLink } from './MoreLink.tsx';
import { PageFigures } from './PageFigures.tsx';
import { PageTitle } from './PageTitle.tsx';
import { StemDiagram } from './StemDiagram.tsx';
import './PlainPage.css';
import './site.css';

export function PlainPage({ path }: { path: keyof typeof pageTexts }) {
  const text: PageText = pageTexts[path];
  return (
    <div className="Site">
      <PageTitle
        above={text.name}
        heading={text.heading}
        lead={text.lead}
        note={text.updated}
        picture={text.picture}
      />
      {text.figures && <PageFigures figures={text.figures} />}
      {text.stem && <StemDiagram text={text.stem} sections={text.sections} />}
      <div className="Site-wrap PlainPage">
        {text.sections.map(section => (
          <section key={section.heading}>
            <h2>{section.heading}</h2>
            <div className="PlainPage-body">
              {section.paragraphs.map(paragraph => (
                <p key={paragraph}>
                  <Ranges>{paragraph}</Ranges>
                </p>
              ))}
              {section.days && <DaysDiagram text={section.days} />}
              {section.list && (
                <ul>
                  {section.list.map(item => (
                    <li key={item.term}>
                      <b>{item.term}</b>
                      <Ranges>{item.text}</Ranges>
                    </li>
                  ))}
                </ul>
              )}
            </div>
          </section>
        ))}
        <nav className="PlainPage-next" aria-label="Read next">
          {text.next.map(link => (
            <MoreLink key={link.to} to={link.to}>
              {link.label}
            </MoreLink>
          ))}
        </nav>
      </div>
    </div>
  );
}
