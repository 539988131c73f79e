/** Text whose dates ('Nov 22, 2026'), times ('8:00 AM'), ranges of numbers ('3–7') and references each stay on one line. */
const unbroken =
  /(\b(?:LB(?:-\w{4}){3}|[A-Z][a-z]{2} \d{1,2}(?:–\d{1,2})?(?:, \d{4})?|\d{1,2}[-–]\d{1,2}|\d{1,2}:\d{2} [AP]M)\b)/;

export function Ranges({ children }: { children: string }) {
  return children.split(unbroken).map((part, place) =>
    place % 2 === 0 ? (
      part
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts keep their order
      <span key={place} className={/^LB\b/.test(part) ? 'whole' : 'num'}>
        {part}
      </span>
    ),
  );
}
