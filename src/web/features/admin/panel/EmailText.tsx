/** An email address in a table: truncated in a column with the full address as tooltip, shown in full on a card. */
import { Breakable } from '#web/ui/Breakable.tsx';
import './EmailText.css';

export type EmailTextProps = {
  value: string;
  /** For tables with few columns, which leave more space for addresses. */
  roomy?: boolean;
};

export function EmailText({ value, roomy }: EmailTextProps) {
  return (
    <span title={value} className={roomy ? 'EmailText EmailText--roomy' : 'EmailText'}>
      <Breakable>{value}</Breakable>
    </span>
  );
}
