/** Shown on every screen of a frozen customer: what is blocked, what still works, whom to contact. */
import * as errorMessages from '#contract/messages/errors.ts';
import * as navMessages from '#contract/messages/nav.ts';
import { aboutFrozenAccount } from '#web/base/helpDesk.ts';
import { Banner } from '#web/ui/Banner.tsx';
import { Button } from '#web/ui/Button.tsx';
import { words } from './words.ts';
import './FrozenBanner.css';

export function FrozenBanner() {
  return (
    <Banner
      className="FrozenBanner"
      kind="warning"
      icon="lock"
      title={errorMessages.accountFrozen}
      action={
        <Button kind="quiet" size="s" to={aboutFrozenAccount}>
          {navMessages.helpDesk}
        </Button>
      }
    >
      {words.frozenText}
    </Banner>
  );
}
