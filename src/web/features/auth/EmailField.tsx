/** The email field of people who have an account: the first field of the login and of the password reset. */
import { TextField } from '#web/ui/TextField.tsx';
import { loginText } from './authTexts.ts';

export type EmailFieldProps = {
  value: string;
  onChange: (value: string) => void;
  error: string | undefined;
  /** The browser may suggest passkeys for this field. */
  offersPasskeys?: boolean;
  onFocus?: () => void;
};

export function EmailField({ offersPasskeys, ...props }: EmailFieldProps) {
  return (
    <TextField
      {...props}
      label={loginText.email}
      name="email"
      type="email"
      autoComplete={offersPasskeys ? 'username webauthn' : 'username'}
      autoCapitalize="none"
      spellCheck={false}
      required
    />
  );
}
