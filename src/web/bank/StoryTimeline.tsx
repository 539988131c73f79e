/** A transaction's history as a timeline, from one party's side. */
import { dayAndTime } from '#contract/bankTime.ts';
import type { TransactionStory } from '#contract/entities.ts';
import { Ranges } from '#web/ui/Ranges.tsx';
import { Timeline } from '#web/ui/Timeline.tsx';
import { type StorySide, tellStory } from './transactionStory.ts';
import './StoryTimeline.css';

export type StoryTimelineProps = {
  /** 'What happened'. */
  label: string;
  transaction: TransactionStory;
  side: StorySide;
};

export function StoryTimeline({ label, transaction, side }: StoryTimelineProps) {
  const steps = tellStory(transaction, side).map(({ at, notes, ...step }) => ({
    ...step,
    when: at && <time dateTime={at}>{dayAndTime(at)}</time>,
    text: notes.map(note => (
      <span key={note} className="StoryTimeline-note">
        <Ranges>{note}</Ranges>
      </span>
    )),
  }));
  return <Timeline label={label} steps={steps} />;
}
