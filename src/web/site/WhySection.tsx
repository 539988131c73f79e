/** 'Why Choose': four commitments of the bank, each with an illustration. */
import { homeText } from './content/home.ts';
import './WhySection.css';

export function WhySection() {
  const { title, lead, items } = homeText.why;
  return (
    <section className="Site-band">
      <div className="Site-wrap">
        <div className="WhySection-head">
          <h2>{title}</h2>
          <p className="Site-lead">{lead}</p>
        </div>
        <ul className="WhySection-items">
          {items.map(item => (
            <li key={item.title}>
              <img src={item.art} alt="" width={112} height={112} loading="lazy" decoding="async" />
              <h3>{item.title}</h3>
              <p>{item.text}</p>
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}
