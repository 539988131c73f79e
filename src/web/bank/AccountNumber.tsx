/** An account number in groups of four digits. The gaps are CSS, so selecting and copying gives only the digits. */
import { classNames } from '#web/ui/classNames.ts';
import { Icon } from '#web/ui/Icon.tsx';
import { copyAccountNumber } from './copyAccountNumber.ts';
import './AccountNumber.css';

export type AccountNumberProps = {
  value: string;
  /** Adds a copy button with this label. */
  copyLabel?: string | undefined;
  /** Uses small type, as in a table. */
  small?: boolean | undefined;
};

export function AccountNumber({ value, copyLabel, small }: AccountNumberProps) {
  const groups = value.match(/.{1,4}/g) ?? [];
  return (
    <span className={classNames('AccountNumber', small && 'AccountNumber--small')}>
      <span className="AccountNumber-digits">
        {groups.map((group, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the groups of a number keep their order
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
