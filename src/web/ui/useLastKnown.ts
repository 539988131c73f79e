/** Lets a dialog keep showing what it was about while it fades out. */
import { useState } from 'react';

/** `value`, and once it is gone the last one there was. */
export function useLastKnown<Value>(value: Value | undefined): Value | undefined {
  const [last, setLast] = useState(value);
  if (value !== undefined && value !== last) setLast(value);
  return value ?? last;
}
