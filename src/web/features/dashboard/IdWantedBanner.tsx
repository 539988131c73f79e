/** Asks a customer for a new ID document, because the bank could not verify the uploaded one. */
import type { ReactNode } from 'react';
import { useIdentityQuery } from '#web/features/settings/settingsCalls.ts';
import { Banner } from '#web/ui/Banner.tsx';
import { Button } from '#web/ui/Button.tsx';
import { words } from './words.ts';

export function IdWantedBanner({ action, className }: { action: ReactNode; className?: string }) {
  return (
    <Banner className={className} kind="warning" icon="alert" title={words.idWanted} action={action}>
      {words.idWantedText}
    </Banner>
  );
}

/** On the overview: the banner if the bank has asked, with a link to the settings. */
export function OverviewIdWanted() {
  const { idRequest } = useIdentityQuery().data ?? {};
  if (!idRequest) return null;
  return (
    <IdWantedBanner
      className="OverviewScreen-id"
      action={
        <Button kind="quiet" size="s" to="/dashboard/settings">
          {words.toUpload}
        </Button>
      }
    />
  );
}
