/** The banner above the form: what the last press found wrong, or that an earlier transfer is not confirmed yet. */
import { fill } from '#contract/messages/fill.ts';
import * as limitsMessages from '#contract/messages/limits.ts';
import * as transferMessages from '#contract/messages/transfer.ts';
import { formatDollars } from '#contract/money.ts';
import { Link } from '#web/router/Link.tsx';
import { Banner } from '#web/ui/Banner.tsx';
import { classNames } from '#web/ui/classNames.ts';
import { formatNumber, type Sending } from './sending.ts';
import type { Problem, TransferKind } from './transferForm.ts';
import { labelOf, words } from './words.ts';
import './FormBanner.css';

export type FormBannerProps = {
  /** The last press found problems. The banner stays while the customer fixes them, so that nothing below moves. */
  hasProblems: boolean;
  problems: readonly Problem[];
  /** The kind of transfer that the form shows. */
  kind: TransferKind;
  /** A transfer that was not sent by this form and has no result yet; this form waits for it. */
  unanswered: Sending | undefined;
};

export function FormBanner({ hasProblems, problems, kind, unanswered }: FormBannerProps) {
  const [first, ...others] = problems;
  // The field shows the limit's figures, so the banner does not repeat them.
  const isOverLimit = problems.some(({ message }) => message === limitsMessages.exceeded);
  if (!unanswered && !hasProblems) return null;
  if (unanswered)
    return (
      <Banner className="FormBanner" kind="info" title={words.heldTitle}>
        {fill(words.heldText, {
          amount: formatDollars(unanswered.body.amount),
          number: formatNumber(unanswered),
        })}
      </Banner>
    );
  return (
    <Banner
      className={classNames('FormBanner', !first && 'FormBanner--fixed')}
      kind="error"
      title={
        others.length > 0
          ? fill(words.checkFields, { list: problems.map(({ field }) => labelOf(field, kind)).join(', ') })
          : first?.message
      }
    >
      {others.length === 0 && first?.reason && !isOverLimit
        ? `${first.reason} ${transferMessages.nothingSent}`
        : transferMessages.nothingSent}{' '}
      {isOverLimit && (
        <Link className="link" to="/dashboard/settings?tab=security">
          {words.changeLimits}
        </Link>
      )}
    </Banner>
  );
}
