/** The email of somebody who has an account already: the login's and the forgotten password's first field. */
import { TextField } from '#web/ui/TextField.tsx';
import { loginText } from './authTexts.ts';

export type EmailFieldProps = {
  value: string;
  onChange: (value: string) => void;
  error: string | undefined;
};

export function EmailField(props: EmailFieldProps) {
  return (
    <TextField
      {...props}
      label={loginText.email}
      name="email"
      type="email"
      autoComplete="username"
      autoCapitalize="none"
      spellCheck={false}
      required
    />
  );
}
