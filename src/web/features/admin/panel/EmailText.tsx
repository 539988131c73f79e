/** An email address in a table: cut off in a column, with the whole of it as tooltip, and written out in a card. */
import './EmailText.css';

export type EmailTextProps = {
  value: string;
  /** In a table of few columns, where addresses have more room. */
  roomy?: boolean;
};

export function EmailText({ value, roomy }: EmailTextProps) {
  return (
    <span title={value} className={roomy ? 'EmailText EmailText--roomy' : 'EmailText'}>
      {value}
    </span>
  );
}
