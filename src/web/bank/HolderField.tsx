/** An account number field with one line under it about the holder: the hint, the pending lookup, the holder, or the error. */
import type { ReactNode } from 'react';
import * as appMessages from '#contract/messages/app.ts';
import { Avatar } from '#web/ui/Avatar.tsx';
import { classNames } from '#web/ui/classNames.ts';
import { Icon } from '#web/ui/Icon.tsx';
import { Spinner } from '#web/ui/Spinner.tsx';
import { GroupedDigits } from './GroupedDigits.tsx';
import type { Holder } from './holder.ts';
import * as words from './words.ts';
import './HolderField.css';

export type HolderFieldProps<Found extends { accountName: string }> = {
  label: string;
  name: string;
  required?: boolean | undefined;
  value: string;
  onChange: (text: string) => void;
  onBlur?: (() => void) | undefined;
  /** The hint; shown while the number is incomplete. */
  hint: string;
  holder: Holder<Found>;
  onAgain: () => void;
  /**
   * For customers: shows the hint also next to the error of an unknown or incomplete number, and reserves space for the
   * holder's picture.
   */
  guided?: boolean | undefined;
  /** The form was submitted with an incomplete number. */
  isMissing?: boolean | undefined;
  /** The holder's name and information about the account, next to the picture. */
  children: (found: Found) => ReactNode;
};

export function HolderField<Found extends { accountName: string }>(props: HolderFieldProps<Found>) {
  const { hint, holder, onAgain, guided, isMissing, children, ...box } = props;
  const { state, message } = holder;
  const isWrong =
    state === 'mistyped' || state === 'own' || state === 'unknown' || (isMissing && state === 'incomplete');
  const place = classNames('HolderField', guided && 'HolderField--guided');
  const sign = (inside: ReactNode) => (guided ? <span className="HolderField-sign">{inside}</span> : inside);
  return (
    <GroupedDigits
      {...box}
      figures
      inputMode="numeric"
      autoComplete="off"
      spellCheck={false}
      error={
        isWrong && (
          <span className={classNames(place, 'HolderField--wrong')}>
            {message}
            {guided && (state === 'unknown' || state === 'incomplete') && (
              <span className="HolderField-hint">{hint}</span>
            )}
          </span>
        )
      }
      status={
        isWrong ? (
          ''
        ) : (
          <div className={place}>
            {state === 'found' && (
              <>
                <Picture name={holder.found.accountName} />
                {children(holder.found)}
              </>
            )}
            {state === 'verifying' && (
              <>
                {sign(<Spinner />)}
                {message}
              </>
            )}
            {state === 'incomplete' && !guided && hint}
            {state === 'incomplete' && guided && (
              <>
                {sign(<Icon name="person" size={18} />)}
                <span>
                  {hint}
                  <span className="HolderField-place">{words.holderPlace}</span>
                </span>
              </>
            )}
            {state === 'unanswered' && (
              <>
                {message}
                <button type="button" className="link" onClick={onAgain}>
                  {appMessages.tryAgain}
                </button>
              </>
            )}
          </div>
        )
      }
    />
  );
}

function Picture({ name }: { name: string }) {
  const [firstName = '', ...others] = name.split(' ');
  return <Avatar size="s" decorative firstName={firstName} lastName={others.at(-1) ?? ''} />;
}
