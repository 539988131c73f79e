/** The Businesses & Institutions page: four areas, six loans with their figures, four steps, four reasons, and how to start. */
import * as businessMessages from '#contract/messages/business.ts';
import { helpDeskAddress } from '#web/base/helpDesk.ts';
import { Button } from '#web/ui/Button.tsx';
import glasshouse from './art/business.svg';
import breakfast from './art/event-breakfast.svg';
import { businessText } from './content/business.ts';
import { LoanCards } from './LoanCards.tsx';
import './BusinessScreen.css';
import './site.css';

const { areas, steps, reasons, ask } = businessText;
/** The contact form, prefilled with a request for a meeting. */
const meeting = helpDeskAddress(ask.subject, ask.message);

export function BusinessScreen() {
  return (
    <div className="Site">
      <section className="Site-wrap BusinessScreen-head">
        <div>
          <h1>{businessText.heading}</h1>
          <p className="Site-lead">{businessText.lead}</p>
          <p className="BusinessScreen-ways">
            <Button to={meeting}>{businessMessages.scheduleMeeting}</Button>
            <Button kind="quiet" href="#loans">
              {businessText.seeLoans}
            </Button>
          </p>
        </div>
        <img src={glasshouse} alt="" width={640} height={512} fetchPriority="high" />
      </section>
      <section className="BusinessScreen-areas" aria-label={businessText.areasLabel}>
        <ul className="Site-wrap">
          {areas.map(area => (
            <li key={area.title}>
              <h2>{area.title}</h2>
              <p>{area.text}</p>
            </li>
          ))}
        </ul>
      </section>
      <LoanCards />
      <section className="BusinessScreen-steps">
        <div className="Site-wrap">
          <h2>{steps.title}</h2>
          <ol>
            {steps.items.map((step, place) => (
              <li key={step.title}>
                <b aria-hidden="true">{place + 1}</b>
                <h3>{step.title}</h3>
                <p>{step.text}</p>
              </li>
            ))}
          </ol>
        </div>
      </section>
      <section className="Site-band Site-band--sunken">
        <div className="Site-wrap BusinessScreen-reasons">
          <h2>{reasons.title}</h2>
          <ul>
            {reasons.items.map(reason => (
              <li key={reason.title}>
                <h3>{reason.title}</h3>
                <p>{reason.text}</p>
              </li>
            ))}
          </ul>
        </div>
      </section>
      <section className="Site-band">
        <div className="Site-wrap">
          <div className="BusinessScreen-ask">
            <div>
              <h2>{ask.title}</h2>
              <p>{ask.text}</p>
              <p className="BusinessScreen-ways">
                <Button kind="light" to={meeting}>
                  {businessMessages.scheduleMeeting}
                </Button>
                <a className="BusinessScreen-brochure" href={businessText.brochure} download>
                  {businessMessages.downloadBrochure}
                </a>
              </p>
            </div>
            <img src={breakfast} alt="" width={640} height={400} loading="lazy" decoding="async" />
          </div>
        </div>
      </section>
    </div>
  );
}
