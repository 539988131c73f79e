/** Address, telephone number and e-mail address of the bank, as static text. */
import { bank } from '#contract/constants.ts';
import { contactText } from './content/contact.ts';
import './ContactWays.css';

export function ContactWays() {
  return (
    <dl className="ContactWays">
      <div>
        <dt>{contactText.visit}</dt>
        <dd>{bank.address}</dd>
      </div>
      <div>
        <dt>{contactText.call}</dt>
        <dd>{bank.phone}</dd>
      </div>
      <div>
        <dt>{contactText.email}</dt>
        <dd>
          <a className="link" href={`mailto:${bank.supportEmail}`}>
            {bank.supportEmail}
          </a>
        </dd>
      </div>
    </dl>
  );
}
