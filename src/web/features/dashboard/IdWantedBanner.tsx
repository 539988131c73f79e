/** Asks a customer for an ID document: the first one, or a better one because the bank could not verify the uploaded one. */
import type { ReactNode } from 'react';
import { Banner } from '#web/ui/Banner.tsx';
import { words } from './words.ts';

export type IdWantedBannerProps = {
  which: keyof typeof words.idWanted;
  action: ReactNode;
  className?: string;
};

export function IdWantedBanner({ which, action, className }: IdWantedBannerProps) {
  const { title, text } = words.idWanted[which];
  return (
    <Banner className={className} kind="warning" icon="alert" title={title} action={action}>
      {text}
    </Banner>
  );
}
