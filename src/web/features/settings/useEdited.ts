/** Reports to the settings screen whether a form has unsaved changes. */
import { useEffect } from 'react';

/** `form` is the name of the form, unique on the screen. */
export type OnEdited = (form: string, isEdited: boolean) => void;

export function useEdited(form: string, isEdited: boolean, onEdited: OnEdited): void {
  useEffect(() => {
    onEdited(form, isEdited);
    return () => onEdited(form, false);
  }, [form, isEdited, onEdited]);
}
