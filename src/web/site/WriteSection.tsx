/** The end of the home page: the contact form and other ways to reach the bank. */
import { ContactForm } from './ContactForm.tsx';
import { ContactWays } from './ContactWays.tsx';
import { homeRestText } from './content/homeRest.ts';
import './WriteSection.css';

export function WriteSection() {
  return (
    <section className="Site-band Site-band--sunken" id="contact">
      <div className="Site-wrap WriteSection">
        <div>
          <h2>{homeRestText.write.title}</h2>
          <p className="Site-lead">{homeRestText.write.lead}</p>
          <ContactWays />
        </div>
        <ContactForm />
      </div>
    </section>
  );
}
