/** The Help Desk page: the contact form, other ways to reach the bank, frequent questions, and what the bank never asks for. */

import { PhoneText } from '#web/bank/PhoneText.tsx';
import litWindow from './art/page-help.svg';
import { ContactForm } from './ContactForm.tsx';
import { ContactWays } from './ContactWays.tsx';
import { contactText } from './content/contact.ts';
import { MoreLink } from './MoreLink.tsx';
import { PageTitle } from './PageTitle.tsx';
import './ContactScreen.css';
import './site.css';
import './WriteSection.css';

export function ContactScreen() {
  const { questions } = contactText;
  return (
    <div className="Site">
      <PageTitle heading={contactText.heading} lead={contactText.lead} picture={litWindow} />
      <div className="Site-wrap Site-band WriteSection">
        <div>
          <ContactWays />
          <p className="WriteSection-safe">{contactText.safe}</p>
        </div>
        <ContactForm />
      </div>
      <section className="Site-band Site-band--sunken">
        <div className="Site-wrap">
          <h2>{questions.title}</h2>
          <ul className="ContactScreen-questions">
            {questions.items.map(item => (
              <li key={item.ask}>
                <h3>{item.ask}</h3>
                <p>
                  <PhoneText>{item.answer}</PhoneText>
                </p>
                <MoreLink to={item.to}>{item.link}</MoreLink>
              </li>
            ))}
          </ul>
        </div>
      </section>
    </div>
  );
}
