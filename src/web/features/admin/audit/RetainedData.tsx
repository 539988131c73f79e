/**
 * The data that identified a former customer. An auditor gives a reason in a dialog, and then a sheet shows the data. It is
 * read once and kept only until the sheet closes.
 */
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { calendarDay, nameOfDay } from '#contract/bankTime.ts';
import type { Data } from '#contract/endpoint.ts';
import type { AuditEntry } from '#contract/entities.ts';
import * as appMessages from '#contract/messages/app.ts';
import { type RetainedIdentity, retainedApi } from '#contract/retained.ts';
import { formatPhone } from '#contract/typedNumbers.ts';
import { areaApi } from '#web/base/api.ts';
import { Dialog } from '#web/ui/Dialog.tsx';
import { Slip } from '#web/ui/Slip.tsx';
import { useLastKnown } from '#web/ui/useLastKnown.ts';
import { readRefusalText } from '../panel/actRefusalText.ts';
import { fullAddress } from '../panel/fullAddress.ts';
import { ReasonDialog } from '../panel/ReasonDialog.tsx';
import { PictureView } from '../waiting/PictureView.tsx';
import { words as panelWords } from '../words.ts';
import { auditWords } from './auditWords.ts';
import './RetainedData.css';

// The other call of this API is for customers: settings/retentionCalls.ts.
const { openRetained } = retainedApi;
const { useOpenRetainedMutation } = areaApi({ openRetained }, {});

type Retained = Data<typeof openRetained>;

export type RetainedDataProps = {
  /** The record of the customer's deletion. While it is set, the dialog or the sheet is open. */
  record: AuditEntry | undefined;
  onClose: () => void;
};

const words = auditWords.retained;
const dayOf = (iso: string) => nameOfDay(calendarDay(new Date(iso)));

export function RetainedData({ record: asked, onClose }: RetainedDataProps) {
  const record = useLastKnown(asked);
  const [open, { data: opened, reset }] = useOpenRetainedMutation();
  // On closing, the sheet returns the focus to the button that opened the reason dialog.
  const button = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    if (asked) button.current = document.activeElement as HTMLElement;
  }, [asked]);
  if (!record) return null;
  return (
    <>
      <ReasonDialog
        open={asked !== undefined && !opened}
        title={words.question}
        hint={panelWords.auditHint}
        confirmLabel={words.open}
        // The sheet takes the focus.
        finalFocus={opened && (() => false)}
        onConfirm={async reason => {
          const answer = await open({ params: { id: record.subject }, body: { reason } });
          return answer.data ? undefined : { text: readRefusalText(answer.error), isUnknown: false };
        }}
        onClose={onClose}
      >
        {record.retainedUntil && words.text(record.subjectName, dayOf(record.retainedUntil))}
      </ReasonDialog>
      <Sheet
        retained={asked && opened?.data}
        account={record.subjectName}
        isDisowned={record.action === 'registration.removed'}
        finalFocus={button}
        onClose={() => {
          onClose();
          reset();
        }}
      />
    </>
  );
}

type SheetProps = {
  retained: Retained | undefined;
  account: string;
  /** The owner of the email removed the registration. */
  isDisowned: boolean;
  finalFocus: RefObject<HTMLElement | null>;
  onClose: () => void;
};

function Sheet({ retained, account, isDisowned, finalFocus, onClose }: SheetProps) {
  const shown = useLastKnown(retained);
  if (!shown) return null;
  return (
    <Dialog
      open={retained !== undefined}
      onClose={onClose}
      finalFocus={finalFocus}
      size="side"
      title={words.title}
      closeLabel={appMessages.close}
    >
      <p className="type-small RetainedData-text">
        {words.kept(dayOf(shown.closedAt), dayOf(shown.eraseAfter))} {isDisowned && words.disowned}
      </p>
      {shown.earlier?.map(one => (
        <section key={one.replacedAt} className="RetainedData-identity">
          <h3 className="RetainedData-title">{words.before(dayOf(one.replacedAt))}</h3>
          <Identity account={account} identity={one} />
        </section>
      ))}
      {shown.earlier && <h3 className="RetainedData-title">{words.last}</h3>}
      <Identity account={account} identity={shown} />
    </Dialog>
  );
}

function Identity({ account, identity }: { account: string; identity: RetainedIdentity }) {
  const picture = usePicture(identity.idDocument);
  const { firstName, middleName, lastName, dateOfBirth, isDateOfBirthVerified } = identity;
  const day = dateOfBirth && nameOfDay(dateOfBirth);
  return (
    <>
      <Slip
        rows={[
          { label: words.account, value: account },
          {
            label: panelWords.fullName,
            value: [firstName, middleName, lastName].filter(Boolean).join(' '),
          },
          { label: panelWords.email, value: identity.email },
          {
            label: panelWords.dateOfBirth,
            value: !day
              ? panelWords.notProvided
              : isDateOfBirthVerified === false
                ? panelWords.dayNotVerified(day)
                : day,
          },
          { label: panelWords.gender, value: panelWords.genders[identity.gender] ?? identity.gender },
          { label: panelWords.address, value: fullAddress(identity) },
          { label: panelWords.phone, value: formatPhone(identity.phoneNumber) || panelWords.notProvided },
          {
            label: panelWords.idDocument,
            value: identity.isVerified
              ? panelWords.verified
              : identity.idDocument
                ? words.notVerified
                : panelWords.noIdUploaded,
          },
        ]}
      />
      {identity.idDocument && (
        <div className="RetainedData-document">
          <PictureView label={panelWords.idDocument} src={picture}>
            {appMessages.pleaseWait}
          </PictureView>
        </div>
      )}
    </>
  );
}

/** Returns a `blob:` URL for a base64 picture, because the page's content security policy allows no `data:` URLs. */
function usePicture(base64: string | undefined): string | undefined {
  const [address, setAddress] = useState<string>();
  useEffect(() => {
    if (base64 === undefined) return;
    const bytes = Uint8Array.from(atob(base64), character => character.charCodeAt(0));
    const made = URL.createObjectURL(new Blob([bytes], { type: 'image/webp' }));
    setAddress(made);
    return () => {
      URL.revokeObjectURL(made);
      setAddress(undefined);
    };
  }, [base64]);
  return address;
}
