/** The auth area's calls as hooks. */
import { authApi } from '#contract/auth.ts';
import { areaApi } from '#web/base/api.ts';

export const {
  useRegisterMutation,
  useRemoveRegistrationMutation,
  useInitiateLoginMutation,
  useVerifyCodeMutation,
  useResendCodeMutation,
  usePasskeyLoginOptionsMutation,
  usePasskeyLoginMutation,
  useProfileQuery,
  useForgotPasswordMutation,
  useResetPasswordMutation,
} = areaApi(authApi, { profile: { provides: ['Profile'] } });
