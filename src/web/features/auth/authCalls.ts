/** The auth area's calls as hooks. */
import { authApi } from '#contract/auth.ts';
import { areaApi } from '#web/base/api.ts';

const calls = areaApi(authApi, { profile: { provides: ['Profile'] } });

export const {
  useRegisterMutation,
  useRemoveRegistrationMutation,
  useVerifyCodeMutation,
  useResendCodeMutation,
  useProfileQuery,
  useForgotPasswordMutation,
  useResetPasswordMutation,
} = calls;

/** For the login page, which fetches the client only when the form is filled in. */
export const { initiateLogin, passkeyLoginOptions, passkeyLogin } = calls.endpoints;
