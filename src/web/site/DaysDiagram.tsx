/** Ways to move money, each as a text. Most also have a row of business days, which shows when the money arrives. */
import { externalTransfer } from '#contract/constants.ts';
import { classNames } from '#web/ui/classNames.ts';
import { Ranges } from '#web/ui/Ranges.tsx';
import type { DaysDiagramText } from './content/pages.ts';
import './DaysDiagram.css';

const { fewestBusinessDays: first, mostBusinessDays: last } = externalTransfer;
const days = Array.from({ length: last + 1 }, (_, day) => day);

function stateOf(day: number, arrives: 'today' | 'later') {
  if (arrives === 'today') return day === 0 && 'DaysDiagram-arrival';
  return day < first ? 'DaysDiagram-pending' : 'DaysDiagram-arrival';
}

export function DaysDiagram({ text }: { text: DaysDiagramText }) {
  return (
    <figure className="DaysDiagram">
      {text.groups.map(({ heading, ways }) => (
        <div key={heading}>
          <h3>{heading}</h3>
          <ul>
            {ways.map(({ term, text: words, arrives }) => (
              <li key={term}>
                <b>{term}</b>
                <Ranges>{words}</Ranges>
                {arrives && (
                  <div className="DaysDiagram-days" aria-hidden="true">
                    {days.map(day => (
                      <span key={day} className={classNames(stateOf(day, arrives))}>
                        {day || text.today}
                      </span>
                    ))}
                  </div>
                )}
              </li>
            ))}
          </ul>
        </div>
      ))}
      <figcaption className="type-note">{text.caption}</figcaption>
    </figure>
  );
}
