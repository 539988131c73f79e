/** A result's symbol in a floret: success, pending, processing, error, warning. */
import { classNames } from './classNames.ts';
import './Seal.css';

export type SealKind = 'success' | 'pending' | 'processing' | 'error' | 'warning';

const petal = 'M38 38C21 31 24 3 38 3C52 3 55 31 38 38z';
const turns = [0, 72, 144, 216, 288];
const signs: Record<SealKind, string> = {
  success: 'M29.5 38.5l6 5.8 11-12',
  pending: 'M38 29.5v9l5.5 3',
  processing: 'M30.5 38h.01M38 38h.01M45.5 38h.01',
  error: 'M32 32l12 12M44 32 32 44',
  warning: 'M38 29.5v9.5M38 45.5h.01',
};

export function Seal({ kind, className }: { kind: SealKind; className?: string | undefined }) {
  return (
    <svg
      className={classNames('Seal', `Seal--${kind}`, className)}
      viewBox="0 0 76 76"
      width="76"
      height="76"
      aria-hidden="true"
    >
      <g className="Seal-petals">
        {turns.map(turn => (
          <path key={turn} d={petal} transform={`rotate(${turn} 38 38)`} />
        ))}
      </g>
      <circle className="Seal-heart" cx="38" cy="38" r="17" />
      <path className="Seal-sign" d={signs[kind]} />
    </svg>
  );
}
