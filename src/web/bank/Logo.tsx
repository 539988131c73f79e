/**
 * The bank's sign: the larkspur mark, alone or with the name. Its outlines stand once in `index.html`, so that no page's
 * script carries them and no request is needed to draw them.
 */
import { bank } from '#contract/constants.ts';
import { classNames } from '#web/ui/classNames.ts';
import './Logo.css';

export type LogoProps = {
  form?: 'full' | 'mark' | undefined;
  /** Give '' where the name already stands beside it. */
  label?: string | undefined;
  className?: string | undefined;
};

export function Logo({ form = 'full', label = bank.name, className }: LogoProps) {
  const spoken = label ? ({ role: 'img', 'aria-label': label } as const) : ({ 'aria-hidden': true } as const);
  if (form === 'mark') {
    return (
      // biome-ignore lint/a11y/noSvgWithoutTitle: named by aria-label, or hidden
      <svg {...spoken} className={classNames('Logo', className)} viewBox="0 2 40 34" width="24" height="20">
        <use href="#larkspur-mark" />
      </svg>
    );
  }
  return (
    // biome-ignore lint/a11y/noSvgWithoutTitle: named by aria-label, or hidden
    <svg {...spoken} className={classNames('Logo', className)} viewBox="0 2 175 36" width="136" height="28">
      <use href="#larkspur-small-mark" />
      <use className="Logo-word" href="#larkspur-word" />
    </svg>
  );
}
