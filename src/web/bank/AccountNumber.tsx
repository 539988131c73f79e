/** An account number shown 4 4 4. The gaps are drawn, not typed, so selecting and copying it gives the plain digits. */
import { classNames } from '#web/ui/classNames.ts';
import { Icon } from '#web/ui/Icon.tsx';
import { copyAccountNumber } from './copyAccountNumber.ts';
import './AccountNumber.css';

export type AccountNumberProps = {
  value: string;
  /** Gives it a copy button of this name. */
  copyLabel?: string | undefined;
  /** The size of small type, as in a table. */
  small?: boolean | undefined;
  className?: string | undefined;
};

export function AccountNumber({ value, copyLabel, small, className }: AccountNumberProps) {
  const groups = value.match(/.{1,4}/g) ?? [];
  return (
    <span className={classNames('AccountNumber', small && 'AccountNumber--small', className)}>
      <span className="AccountNumber-digits">
        {groups.map((group, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the groups of one number never move
          <span key={place}>{group}</span>
        ))}
      </span>
      {copyLabel && (
        <button
          type="button"
          className="AccountNumber-copy"
          aria-label={copyLabel}
          title={copyLabel}
          onClick={() => void copyAccountNumber(value)}
        >
          <Icon name="copy" size={20} />
        </button>
      )}
    </span>
  );
}
