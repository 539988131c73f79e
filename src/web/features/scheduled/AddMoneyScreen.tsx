/** How money from another bank gets here: routing and account number to copy, and a letter to print for an employer. */
import { formatAccountNumber } from '#contract/accountNumber.ts';
import { calendarDay, nameOfDay } from '#contract/bankTime.ts';
import { bank } from '#contract/constants.ts';
import * as appMessages from '#contract/messages/app.ts';
import { fill } from '#contract/messages/fill.ts';
import * as navMessages from '#contract/messages/nav.ts';
import { Logo } from '#web/bank/Logo.tsx';
import { nameOf } from '#web/bank/transactionReading.ts';
import { routingNumber } from '#web/base/routingNumber.ts';
import { selectCustomer } from '#web/base/session.ts';
import { useAppSelector } from '#web/base/store.ts';
import { Button } from '#web/ui/Button.tsx';
import { copyText } from '#web/ui/copyText.ts';
import { IconButton } from '#web/ui/IconButton.tsx';
import { Panel } from '#web/ui/Panel.tsx';
import { Slip } from '#web/ui/Slip.tsx';
import { words } from './words.ts';
import './AddMoneyScreen.css';

export function AddMoneyScreen() {
  const customer = useAppSelector(selectCustomer);
  if (!customer) return null;
  const name = nameOf(customer) ?? '';
  const withCopy = (text: string, digits: string, label: string, copied: string) => (
    <span className="AddMoneyScreen-number num">
      {text}
      <IconButton
        icon="copy"
        label={label}
        onClick={() => void copyText(digits, { copied, failed: appMessages.copyFailed })}
      />
    </span>
  );
  return (
    <>
      <div className="AddMoneyScreen">
        <h1 className="type-title">{navMessages.addMoney}</h1>
        <p className="AddMoneyScreen-intro">{words.detailsIntro}</p>
        <Panel className="AddMoneyScreen-panel">
          <Slip
            rows={[
              {
                label: words.routing,
                value: withCopy(routingNumber, routingNumber, words.copyRouting, words.routingCopied),
              },
              {
                label: words.account,
                value: withCopy(
                  formatAccountNumber(customer.accountNumber),
                  customer.accountNumber,
                  words.copyAccount,
                  appMessages.copied,
                ),
              },
              { label: words.holder, value: name },
              { label: words.bank, value: bank.name },
            ]}
          />
          <Button
            className="AddMoneyScreen-print"
            kind="quiet"
            icon="document"
            onClick={() => window.print()}
          >
            {words.print}
          </Button>
        </Panel>
      </div>
      <section className="AddMoneyScreen-letter" aria-hidden="true">
        <Logo />
        <p>{bank.address}</p>
        <p>{nameOfDay(calendarDay(new Date()))}</p>
        <p className="type-head">{words.letterTitle}</p>
        <p>{fill(words.letterText, { name, bank: bank.name })}</p>
        <Slip
          rows={[
            { label: words.holder, value: name },
            { label: words.bank, value: bank.name },
            { label: words.routing, value: routingNumber },
            { label: words.account, value: formatAccountNumber(customer.accountNumber) },
          ]}
        />
        <p>{fill(words.letterConfirm, { bank: bank.name, phone: bank.phone })}</p>
        <p className="AddMoneyScreen-signature">{fill(words.signature, { name })}</p>
      </section>
    </>
  );
}
