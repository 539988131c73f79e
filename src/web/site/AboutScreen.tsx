/** The About page: the bank, its vision and mission, how it works, its name, and its people. */
import house from './art/page-about.svg';
import { ByLine } from './ByLine.tsx';
import { aboutText } from './content/about.ts';
import { type MemberSlug, memberNames } from './content/memberNames.ts';
import { MoreLink } from './MoreLink.tsx';
import { PageTitle } from './PageTitle.tsx';
import './AboutScreen.css';
import './site.css';

export function AboutScreen() {
  const { aims, features, name, people } = aboutText;
  return (
    <div className="Site">
      <PageTitle heading={aboutText.title} lead={aboutText.lead} picture={house} />
      <section className="Site-band AboutScreen-aims">
        <div className="Site-wrap">
          {aims.map(aim => (
            <div key={aim.title}>
              <h2>{aim.title}</h2>
              <p>{aim.text}</p>
            </div>
          ))}
        </div>
      </section>
      <section className="Site-band Site-band--sunken">
        <div className="Site-wrap">
          <h2>{features.title}</h2>
          <ul className="AboutScreen-features">
            {features.items.map(item => (
              <li key={item.title}>
                <h3>{item.title}</h3>
                <p>{item.text}</p>
                <MoreLink to={item.to}>{item.link}</MoreLink>
              </li>
            ))}
          </ul>
        </div>
      </section>
      <section className="Site-band">
        <div className="Site-wrap AboutScreen-name">
          <h2>{name.title}</h2>
          <div>
            {name.paragraphs.map(paragraph => (
              <p key={paragraph}>{paragraph}</p>
            ))}
          </div>
          <h2>{people.title}</h2>
          <div>
            <p>{people.lead}</p>
            <ul className="AboutScreen-people">
              {Object.keys(memberNames).map(slug => (
                <li key={slug}>
                  <ByLine author={slug as MemberSlug} size="m" />
                </li>
              ))}
            </ul>
          </div>
        </div>
      </section>
    </div>
  );
}
