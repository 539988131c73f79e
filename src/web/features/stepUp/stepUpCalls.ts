/** The stepUp area's calls as hooks. */
import { stepUpApi } from '#contract/stepUp.ts';
import { areaApi } from '#web/base/api.ts';

export const { useSendStepUpCodeMutation, useStepUpPasskeyOptionsMutation, useVerifyStepUpMutation } =
  areaApi(stepUpApi, {});
