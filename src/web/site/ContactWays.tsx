/** The bank's address, phone number and email, as static text. */
import { bank } from '#contract/constants.ts';
import { contactText } from './content/contact.ts';
import { FactList } from './FactList.tsx';

export function ContactWays() {
  const mail = (
    <a className="link" href={`mailto:${bank.supportEmail}`}>
      {bank.supportEmail}
    </a>
  );
  return (
    <FactList
      facts={[
        { term: contactText.visit, is: bank.address },
        { term: contactText.call, is: bank.phone },
        { term: contactText.email, is: mail },
      ]}
    />
  );
}
