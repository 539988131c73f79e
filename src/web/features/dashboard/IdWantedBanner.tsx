/** Asks a customer for a new ID document, because the bank could not verify the uploaded one. */
import type { ReactNode } from 'react';
import { Banner } from '#web/ui/Banner.tsx';
import { words } from './words.ts';

export function IdWantedBanner({ action, className }: { action: ReactNode; className?: string }) {
  return (
    <Banner className={className} kind="warning" icon="alert" title={words.idWanted} action={action}>
      {words.idWantedText}
    </Banner>
  );
}
