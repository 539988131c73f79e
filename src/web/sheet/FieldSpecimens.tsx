/** The component sheet's fields, files, forms, keypad and code boxes. */
import { useState } from 'react';
import * as appMessages from '#contract/messages/app.ts';
import * as authMessages from '#contract/messages/auth.ts';
import * as errorMessages from '#contract/messages/errors.ts';
import { fill } from '#contract/messages/fill.ts';
import * as registerMessages from '#contract/messages/register.ts';
import * as settingsMessages from '#contract/messages/settings.ts';
import * as transferMessages from '#contract/messages/transfer.ts';
import { AmountField } from '#web/bank/AmountField.tsx';
import { choiceOf } from '#web/bank/banks.ts';
import { DescriptionField } from '#web/bank/DescriptionField.tsx';
import { ExternalFields } from '#web/bank/ExternalFields.tsx';
import { FileField } from '#web/bank/FileField.tsx';
import { HolderField } from '#web/bank/HolderField.tsx';
import type { Holder } from '#web/bank/holder.ts';
import { IdDocument } from '#web/bank/IdDocument.tsx';
import { IdentityForm } from '#web/bank/IdentityForm.tsx';
import { PasswordKeypadField } from '#web/bank/PasswordKeypadField.tsx';
import { PasswordPad } from '#web/bank/PasswordPad.tsx';
import { PictureUpload } from '#web/bank/PictureUpload.tsx';
import { CodeBoxes } from '#web/ui/CodeBoxes.tsx';
import { Person } from '#web/ui/Person.tsx';
import { SelectField } from '#web/ui/SelectField.tsx';
import { Spinner } from '#web/ui/Spinner.tsx';
import { TextAreaField } from '#web/ui/TextAreaField.tsx';
import { TextField } from '#web/ui/TextField.tsx';
import { Specimen } from './Specimen.tsx';
import { SpecimenGrid } from './SpecimenGrid.tsx';
import './FieldSpecimens.css';

const banks = [
  { label: 'United States', options: [{ value: 'wells', label: 'Wells Fargo' }] },
  { label: 'Germany', options: [{ value: 'deutsche', label: 'Deutsche Bank' }] },
  { value: 'other', label: transferMessages.otherBank },
];

const holders: Holder<{ accountName: string }>[] = [
  { state: 'incomplete', message: transferMessages.accountNumberFormat },
  { state: 'verifying', message: transferMessages.verifying },
  { state: 'found', found: { accountName: 'Ines Caldeira' }, message: '' },
  { state: 'mistyped', message: transferMessages.mistyped },
  { state: 'unknown', message: transferMessages.accountNotFound },
  { state: 'unanswered', message: errorMessages.network },
];
const boxes = { legend: 'Six-digit code', length: 6, boxLabel: (place: number) => `Digit ${place} of 6` };

const external = {
  ...choiceOf('First Harbor Bank'),
  accountName: 'Ines Caldeira',
  receiverAccountNumber: 'CH56 0483 5012 3456 7800 9',
};

export function FieldSpecimens() {
  const [text, setText] = useState('2125550147');
  const [account, setAccount] = useState('730511842298');
  const [note, setNote] = useState('');
  const [bank, setBank] = useState('wells');
  const [amount, setAmount] = useState('1250');
  const [file, setFile] = useState<File | null>(null);
  const [password, setPassword] = useState('482915');
  const [repeated, setRepeated] = useState('4829');
  const [weak, setWeak] = useState('123456');
  const [code, setCode] = useState('7043');
  const ignore = () => undefined;
  const idDocument = {
    onLook: ignore,
    lookFailed: false,
    upload: { file, problem: '', progress: undefined, pick: setFile, send: ignore, cancel: ignore },
  };
  const identity = { onChange: ignore, onSave: ignore, busy: false, isDateFixed: false, disabled: false };
  const given = { dateOfBirth: '1990-04-12', city: 'Hudson' };
  return (
    <>
      <Specimen name="Fields">
        <div id="fields">
          <SpecimenGrid>
            <TextField
              label="Phone number"
              value={text}
              onChange={setText}
              hint="Ten digits, no spaces."
              figures
            />
            <TextField
              label={transferMessages.receiver}
              value="730511842289"
              onChange={ignore}
              error={transferMessages.mistyped}
              figures
            />
            <TextField
              label={transferMessages.receiver}
              value={account}
              onChange={setAccount}
              figures
              status={
                <span className="FieldSpecimens-asking">
                  <Spinner />
                  {transferMessages.verifying}
                </span>
              }
            />
            <TextField
              label={transferMessages.receiver}
              value={account}
              onChange={setAccount}
              figures
              status={<Person firstName="Ines" lastName="Caldeira" detail={transferMessages.accountFound} />}
            />
            <SelectField label="Bank name" value={bank} onChange={setBank} options={banks} />
            <SelectField
              label="Bank name"
              value=""
              onChange={ignore}
              options={banks}
              placeholder="Select a bank"
              error={transferMessages.bankName}
            />
            <AmountField label={transferMessages.amount} value={amount} onChange={setAmount} />
            <AmountField
              label={transferMessages.amount}
              value="13,000.00"
              onChange={ignore}
              error={transferMessages.insufficientBalance}
            />
            <DescriptionField value={note} onChange={setNote} />
            <TextField
              label="Search"
              hideLabel
              icon="search"
              type="search"
              value=""
              onChange={ignore}
              placeholder="Search users..."
            />
            <TextField label="Disabled" value="amara@lindqvist.example" onChange={ignore} disabled />
            <TextAreaField label={transferMessages.description} value={note} onChange={setNote} rows={3} />
          </SpecimenGrid>
        </div>
      </Specimen>
      <Specimen name="Account holder">
        <SpecimenGrid>
          {[true, false].map(guided =>
            holders.map(holder => (
              <HolderField
                key={`${holder.state} ${guided}`}
                guided={guided}
                label={transferMessages.receiver}
                name="holder"
                hint="12 digits"
                value={holder.state === 'incomplete' ? '7305' : account}
                onChange={setAccount}
                holder={holder}
                onAgain={ignore}
              >
                {found => <b>{found.accountName}</b>}
              </HolderField>
            )),
          )}
        </SpecimenGrid>
      </Specimen>
      <Specimen name="Receiver at another bank">
        <ExternalFields form={external} onChange={ignore} errorOf={() => undefined} />
      </Specimen>
      <Specimen name="Files">
        <SpecimenGrid>
          <FileField label="Profile image" file={file} onPick={setFile} hint={settingsMessages.avatarHint} />
          <FileField
            label="ID card"
            shape="sheet"
            file={null}
            onPick={ignore}
            optional={appMessages.optional}
          />
          <FileField
            label="Profile image"
            file={null}
            onPick={ignore}
            progress={62}
            onCancel={ignore}
            currentUrl="/favicon.svg"
          />
          <FileField label="Profile image" file={null} onPick={ignore} error={registerMessages.avatar} />
        </SpecimenGrid>
      </Specimen>
      <Specimen name="Date of birth and city">
        <SpecimenGrid>
          <IdentityForm {...identity} values={undefined} errors={{}} />
          <IdentityForm
            {...identity}
            values={{ ...given, dateOfBirth: '2020-04-12' }}
            errors={{ dateOfBirth: settingsMessages.tooYoung }}
          />
          <IdentityForm {...identity} values={given} errors={{}} isDateFixed />
          <IdentityForm {...identity} values={given} errors={{}} disabled />
        </SpecimenGrid>
      </Specimen>
      <Specimen name="ID document">
        <SpecimenGrid>
          <IdDocument state="none" {...idDocument} />
          <IdDocument state="waiting" {...idDocument} />
          <IdDocument state="requested" reason="The picture is blurred" {...idDocument} />
          <IdDocument state="verified" {...idDocument} lookFailed />
          <PictureUpload
            label="Profile image"
            hint={settingsMessages.avatarHint}
            shape="round"
            upload={idDocument.upload}
          />
        </SpecimenGrid>
      </Specimen>
      <Specimen name="Password">
        <SpecimenGrid>
          <PasswordKeypadField
            label="Password"
            value={password}
            onChange={setPassword}
            autoComplete="current-password"
            aside={
              <a className="link" href="#fields">
                {authMessages.forgotLink}
              </a>
            }
          />
          <PasswordKeypadField
            label="New password"
            value={weak}
            onChange={setWeak}
            autoComplete="new-password"
          />
          <PasswordKeypadField
            label="Current password"
            value=""
            onChange={ignore}
            autoComplete="current-password"
            error={settingsMessages.wrongCurrentPassword}
            disabled
          />
          <PasswordPad value="" onChange={ignore} controls="fields" disabled />
          <div className="FieldSpecimens-stack">
            <PasswordKeypadField
              id="active"
              label="Confirm password"
              value={repeated}
              onChange={setRepeated}
              autoComplete="new-password"
              warnGuessable={false}
              showPad={false}
              active
            />
            <PasswordPad shared value={repeated} onChange={setRepeated} controls="active" />
          </div>
        </SpecimenGrid>
      </Specimen>
      <Specimen name="Code">
        <div className="FieldSpecimens-stack FieldSpecimens-code">
          <CodeBoxes {...boxes} value={code} onChange={setCode} />
          <CodeBoxes {...boxes} value="704318" onChange={ignore} error={authMessages.badCode} />
          <p className="type-small">{fill(authMessages.resendIn, { n: 31 })}</p>
        </div>
      </Specimen>
    </>
  );
}
