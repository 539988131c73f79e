/** An e-mail address in a table: cut off in a column, with the whole of it as tooltip, and written out in a card. */

export function EmailText({ value }: { value: string }) {
  return (
    <span
      title={value}
      className="block max-w-[210px] truncate text-sm text-ink-2 @max-[900px]:max-w-none @max-[900px]:whitespace-normal @max-[900px]:wrap-anywhere"
    >
      {value}
    </span>
  );
}
