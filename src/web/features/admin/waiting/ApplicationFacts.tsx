/** The facts for approving and verifying a customer: what the customer stated, at registration or later, and when. */
import { formatAccountNumber } from '#contract/accountNumber.ts';
import { calendarDay, dayAndTime, nameOfDay } from '#contract/bankTime.ts';
import type { Application } from '#contract/entities.ts';
import { formatPhone } from '#contract/typedNumbers.ts';
import { Badge } from '#web/ui/Badge.tsx';
import { Slip } from '#web/ui/Slip.tsx';
import { fullAddress } from '../panel/fullAddress.ts';
import { words } from '../words.ts';
import { ageOn, daysBetween } from './waitingTimes.ts';

export type ApplicationFactsProps = { application: Application; className?: string };

export function ApplicationFacts({ application, className }: ApplicationFactsProps) {
  const { firstName, middleName, lastName, dateOfBirth, idCardAt, isEmailProven, isProvenByReset } =
    application;
  const today = calendarDay(new Date());
  const registeredOn = calendarDay(new Date(application.registeredAt));
  return (
    <Slip
      className={className}
      rows={[
        { label: words.fullName, value: [firstName, middleName, lastName].filter(Boolean).join(' ') },
        {
          label: words.email,
          value: (
            <>
              {application.email}{' '}
              <Badge kind={isEmailProven && !isProvenByReset ? 'verified' : 'pending'}>
                {!isEmailProven
                  ? words.emailNotProven
                  : isProvenByReset
                    ? words.emailReset
                    : words.emailProven}
              </Badge>
              {isProvenByReset && (
                <span className="Slip-remark">
                  {words.emailProvenByReset}. {words.mayBeOther}
                </span>
              )}
            </>
          ),
        },
        {
          label: words.dateOfBirth,
          value: dateOfBirth
            ? words.bornOn(nameOfDay(dateOfBirth), ageOn(dateOfBirth, today))
            : words.notProvided,
        },
        { label: words.gender, value: words.genders[application.gender] ?? application.gender },
        {
          label: words.address,
          value: fullAddress(application),
        },
        { label: words.phone, value: formatPhone(application.phoneNumber) },
        { label: words.accountNumber, value: formatAccountNumber(application.accountNumber) },
        {
          label: words.registered,
          value: words.daysAgo(dayAndTime(application.registeredAt), daysBetween(registeredOn, today)),
        },
        { label: words.idUploaded, value: idCardAt ? dayAndTime(idCardAt) : words.notUploaded },
      ]}
    />
  );
}
