/** Warns staff of a customer whose name has letters of several alphabets, because it can look like another name. */
import { mixedScripts } from '#web/bank/mixedScripts.ts';
import { Banner } from '#web/ui/Banner.tsx';
import { words } from '../words.ts';

export type MixedNameProps = {
  /** The parts of the full name. */
  parts: readonly (string | undefined)[];
  className?: string;
};

export function MixedName({ parts, className }: MixedNameProps) {
  const alphabets = mixedScripts(parts.join(' '));
  return (
    alphabets && (
      <Banner kind="warning" className={className} title={words.mixedName(alphabets)}>
        {words.mixedNameText}
      </Banner>
    )
  );
}
