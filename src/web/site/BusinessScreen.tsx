/** Businesses & Institutions: what we lend for, and how to begin. */
import { Button } from '#web/ui/Button.tsx';
import glasshouse from './art/business.svg';
import { businessText } from './content/pages.ts';
import './BusinessScreen.css';
import './site.css';

export function BusinessScreen() {
  return (
    <div className="Site">
      <section className="Site-wrap Business">
        <div>
          <h1>{businessText.heading}</h1>
          <p className="Site-lead">{businessText.lead}</p>
          {businessText.paragraphs.map(paragraph => (
            <p key={paragraph}>{paragraph}</p>
          ))}
          <Button to="/contact">{businessText.action}</Button>
        </div>
        <img src={glasshouse} alt="" width={640} height={512} />
      </section>
    </div>
  );
}
