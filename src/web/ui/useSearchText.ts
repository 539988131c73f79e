/** The text in a search box, and the text that is searched for, which follows it with a debounce. */
import { useEffect, useRef, useState } from 'react';

const restMs = 300;

/** `searched` may also change from outside (Back button, clearing); the box then follows it. */
export function useSearchText(
  searched: string,
  onSearch: (text: string) => void,
): [string, (text: string) => void] {
  const [text, setText] = useState(searched);
  const said = useRef(searched);
  const latest = useRef(onSearch);
  latest.current = onSearch;

  useEffect(() => {
    if (searched === said.current) return;
    said.current = searched;
    setText(searched);
  }, [searched]);

  useEffect(() => {
    // Typing only extra spaces does not start a new search.
    const wanted = text.trim().replace(/\s+/g, ' ');
    if (wanted === said.current) return;
    const timer = setTimeout(() => {
      said.current = wanted;
      latest.current(wanted);
    }, restMs);
    return () => clearTimeout(timer);
  }, [text]);

  return [text, setText];
}
