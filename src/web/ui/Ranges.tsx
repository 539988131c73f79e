/** Text whose ranges of numbers, such as '3–7', stay on one line: a browser would break it after the dash. */
export function Ranges({ children }: { children: string }) {
  return children.split(/(\b\d{1,2}[-–]\d{1,2}\b)/).map((part, place) =>
    place % 2 === 0 ? (
      part
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts keep their order
      <span key={place} className="num">
        {part}
      </span>
    ),
  );
}
