/** A hint at the end of the overview that the bank can be installed on this phone or tablet. Once closed, it stays away. */
import * as appMessages from '#contract/messages/app.ts';
import { closeInstallHint, install, useInstallOffer } from '#web/base/installOffer.ts';
import { Banner } from '#web/ui/Banner.tsx';
import { Button } from '#web/ui/Button.tsx';
import { words } from './words.ts';
import './InstallHint.css';

export function InstallHint() {
  const way = useInstallOffer();
  if (!way) return null;
  return (
    <Banner
      className="InstallHint"
      kind="info"
      icon="mobile"
      title={words.installTitle}
      action={
        way === 'offer' && (
          <Button kind="quiet" size="s" onClick={install}>
            {words.install}
          </Button>
        )
      }
      dismiss={{ label: appMessages.dismiss, onPress: closeInstallHint }}
    >
      {way === 'offer' ? words.installText : words.installByHand}
    </Banner>
  );
}
