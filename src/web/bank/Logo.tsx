/**
 * The bank's logo: the larkspur mark, alone or with the name. Its paths are in `index.html` only, so that no script contains
 * them and drawing them needs no request.
 */
import { bank } from '#contract/constants.ts';
import { classNames } from '#web/ui/classNames.ts';
import './Logo.css';

export type LogoProps = {
  form?: 'full' | 'mark' | undefined;
  /** Pass '' if the name is already next to it. */
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
