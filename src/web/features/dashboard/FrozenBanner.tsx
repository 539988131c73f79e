/** Over every screen of a frozen customer: what is closed, what still works, whom to ask. */
import { messages } from '#contract/messages.ts';
import { aboutFrozenAccount } from '#web/base/helpDesk.ts';
import { Banner } from '#web/ui/Banner.tsx';
import { Button } from '#web/ui/Button.tsx';
import { words } from './words.ts';

export function FrozenBanner() {
  return (
    <Banner
      className="mb-6"
      kind="warning"
      title={messages.errors.accountFrozen}
      action={
        <Button kind="quiet" size="s" to={aboutFrozenAccount}>
          {messages.nav.helpDesk}
        </Button>
      }
    >
      {words.frozenText}
    </Banner>
  );
}
