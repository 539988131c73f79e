/** Address, telephone number and e-mail address of the bank, as static text. */
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
        { name: contactText.visit, value: bank.address },
        { name: contactText.call, value: bank.phone },
        { name: contactText.email, value: mail },
      ]}
    />
  );
}
