/** Help Desk: every way to reach a person, the letter itself, and the one thing we never ask for. */
import { ContactForm } from './ContactForm.tsx';
import { ContactWays } from './ContactWays.tsx';
import { contactText } from './content/pages.ts';
import { PageTitle } from './PageTitle.tsx';
import './site.css';
import './WriteSection.css';

export function ContactScreen() {
  return (
    <div className="Site">
      <PageTitle heading={contactText.heading} lead={contactText.lead} />
      <div className="Site-wrap Site-band Write">
        <div>
          <ContactWays />
          <p className="Write-safe">{contactText.safe}</p>
        </div>
        <ContactForm />
      </div>
    </div>
  );
}
