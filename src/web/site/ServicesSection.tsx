/** What the bank does, set like the contents page of a book: each line names a service and leads to its page. */
import { Link } from 'react-router';
import { Icon } from '#web/ui/Icon.tsx';
import { homeText } from './content/home.ts';
import './ServicesSection.css';

export function ServicesSection() {
  const { title, intro, items } = homeText.services;
  return (
    <section className="Site-band Services" id="services">
      <div className="Site-wrap">
        <h2>{title}</h2>
        <div className="Services-intro">
          {intro.map(paragraph => (
            <p key={paragraph}>{paragraph}</p>
          ))}
        </div>
        <ul className="Services-list">
          {items.map(item => (
            <li key={item.title}>
              <h3>{item.title}</h3>
              <p>{item.text}</p>
              <Link className="Site-more" to={item.to}>
                {item.link}
                <Icon name="arrowRight" size={18} />
              </Link>
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}
