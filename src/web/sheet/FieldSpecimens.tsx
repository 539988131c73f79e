/** The component sheet's fields, the keypad and the code boxes, each in every state. */
import { useState } from 'react';
import { fill, messages } from '#contract/messages.ts';
import { AmountField } from '#web/bank/AmountField.tsx';
import { IdDocument } from '#web/bank/IdDocument.tsx';
import { PasswordKeypadField } from '#web/bank/PasswordKeypadField.tsx';
import { PasswordPad } from '#web/bank/PasswordPad.tsx';
import { CodeBoxes } from '#web/ui/CodeBoxes.tsx';
import { FileField } from '#web/ui/FileField.tsx';
import { Person } from '#web/ui/Person.tsx';
import { PictureUpload } from '#web/ui/PictureUpload.tsx';
import { SelectField } from '#web/ui/SelectField.tsx';
import { Spinner } from '#web/ui/Spinner.tsx';
import { TextAreaField } from '#web/ui/TextAreaField.tsx';
import { TextField } from '#web/ui/TextField.tsx';
import { Specimen } from './Specimen.tsx';
import { SpecimenGrid } from './SpecimenGrid.tsx';

const banks = [
  { label: 'United States', options: [{ value: 'wells', label: 'Wells Fargo' }] },
  { label: 'Germany', options: [{ value: 'deutsche', label: 'Deutsche Bank' }] },
  { value: 'other', label: messages.transfer.otherBank },
];

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
              label={messages.transfer.receiver}
              value="730511842289"
              onChange={ignore}
              error={messages.transfer.mistyped}
              figures
            />
            <TextField
              label={messages.transfer.receiver}
              value={account}
              onChange={setAccount}
              figures
              status={
                <span className="flex items-center gap-2">
                  <Spinner className="text-brand-500" />
                  {messages.transfer.verifying}
                </span>
              }
            />
            <TextField
              label={messages.transfer.receiver}
              value={account}
              onChange={setAccount}
              figures
              status={
                <Person
                  firstName="Ines"
                  lastName="Caldeira"
                  size="s"
                  detail={messages.transfer.accountFound}
                />
              }
            />
            <SelectField label="Bank name" value={bank} onChange={setBank} options={banks} />
            <SelectField
              label="Bank name"
              value=""
              onChange={ignore}
              options={banks}
              placeholder="Select a bank"
              error={messages.transfer.bankName}
            />
            <AmountField label={messages.transfer.amount} value={amount} onChange={setAmount} />
            <AmountField
              label={messages.transfer.amount}
              value="13,000.00"
              onChange={ignore}
              error={messages.transfer.insufficientBalance}
            />
            <TextField
              label={messages.transfer.description}
              optional
              value={note}
              onChange={setNote}
              placeholder="What is it for?"
            />
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
            <TextAreaField label={messages.transfer.description} value={note} onChange={setNote} rows={3} />
          </SpecimenGrid>
        </div>
      </Specimen>
      <Specimen name="Files">
        <SpecimenGrid>
          <FileField label="Profile image" file={file} onPick={setFile} hint={messages.settings.avatarHint} />
          <FileField label="ID card" shape="sheet" file={null} onPick={ignore} optional />
          <FileField
            label="Profile image"
            file={null}
            onPick={ignore}
            progress={62}
            onCancel={ignore}
            currentUrl="/favicon.svg"
          />
          <FileField label="Profile image" file={null} onPick={ignore} error={messages.register.avatar} />
        </SpecimenGrid>
      </Specimen>
      <Specimen name="ID document">
        <SpecimenGrid>
          <IdDocument state="none" {...idDocument} />
          <IdDocument state="waiting" {...idDocument} />
          <IdDocument state="verified" {...idDocument} lookFailed />
          <PictureUpload
            label="Profile image"
            hint={messages.settings.avatarHint}
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
                {messages.auth.forgotLink}
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
            error={messages.settings.wrongCurrentPassword}
            disabled
          />
          <PasswordPad value="" onChange={ignore} controls="fields" disabled />
          <div className="grid gap-5">
            <PasswordKeypadField
              id="marked"
              label="Repeat new password"
              value={repeated}
              onChange={setRepeated}
              autoComplete="new-password"
              warnGuessable={false}
              showPad={false}
              marked
            />
            <PasswordPad shared value={repeated} onChange={setRepeated} controls="marked" />
          </div>
        </SpecimenGrid>
      </Specimen>
      <Specimen name="Code">
        <div className="grid max-w-94 gap-5">
          <CodeBoxes legend="Six-digit code" value={code} onChange={setCode} />
          <CodeBoxes legend="Six-digit code" value="704318" onChange={ignore} error={messages.auth.badCode} />
          <p className="type-small">{fill(messages.auth.resendIn, { n: 31 })}</p>
        </div>
      </Specimen>
    </>
  );
}
