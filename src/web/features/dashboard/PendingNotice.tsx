/** What an unapproved customer sees in place of the banking screens. */
import { messages } from '#contract/messages.ts';
import { NightSheet } from '#web/ui/NightSheet.tsx';
import { words } from './words.ts';
import './PendingNotice.css';

export function PendingNotice() {
  return (
    <NightSheet className="PendingNotice" label={messages.dashboard.pendingTitle}>
      <h1 className="type-title">{messages.dashboard.pendingTitle}</h1>
      <p>{messages.dashboard.pendingText}</p>
      <p className="PendingNotice-hint">{words.reviewHint}</p>
    </NightSheet>
  );
}
