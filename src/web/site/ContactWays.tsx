/** The bank's address, phone number and email. */
import { bank, phoneLink } from '#contract/constants.ts';
import { Breakable } from '#web/ui/Breakable.tsx';
import { contactText } from './content/contact.ts';
import { FactList } from './FactList.tsx';

export function ContactWays() {
  const mail = (
    <a className="link" href={`mailto:${bank.supportEmail}`}>
      <Breakable>{bank.supportEmail}</Breakable>
    </a>
  );
  const phone = (
    <a className="link" href={phoneLink}>
      {bank.phone}
    </a>
  );
  return (
    <FactList
      facts={[
        { term: contactText.visit, is: bank.address },
        { term: contactText.call, is: phone },
        { term: contactText.email, is: mail },
      ]}
    />
  );
}
