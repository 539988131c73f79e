/** Lets a dialog keep showing its content while it fades out. */
import { useState } from 'react';

/** Returns `value`, or its last defined value if it is undefined now. */
export function useLastKnown<Value>(value: Value | undefined): Value | undefined {
  const [last, setLast] = useState(value);
  if (value !== undefined && value !== last) setLast(value);
  return value ?? last;
}
