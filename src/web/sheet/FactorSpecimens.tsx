/** The second factors' components in their states. Nothing here calls the bank. */
import { bank } from '#contract/constants.ts';
import { fill } from '#contract/messages/fill.ts';
import { AppFactor } from '#web/bank/AppFactor.tsx';
import type { FactorActs } from '#web/bank/factors.ts';
import * as texts from '#web/bank/factorTexts.ts';
import { PasskeyFactor } from '#web/bank/PasskeyFactor.tsx';
import { PhoneText } from '#web/bank/PhoneText.tsx';
import { Specimen } from './Specimen.tsx';
import { SpecimenGrid } from './SpecimenGrid.tsx';

const codes = Array.from({ length: 10 }, (_, place) => `bcdf-ghjk-mnp${'qrstvwxzbc'[place]}`);
const done = async () => ({ data: undefined });
const acts: FactorActs = {
  startApp: async () => ({
    data: { secret: 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ', uri: 'otpauth://totp/Larkspur%20Bank:wren' },
  }),
  confirmApp: async () => ({ data: codes }),
  renewCodes: async () => ({ data: codes }),
  removeApp: async () => ({ error: 'Password is incorrect' }),
  addPasskey: async () => ({ error: texts.ceremonyFailed }),
  removePasskey: done,
  readApp: async () => undefined,
  readPasskeys: async () => undefined,
};
const loaded = <T,>(data: T | undefined, isError = false) => ({ data, isError, refetch: () => undefined });
const on = (recoveryCodesLeft: number) =>
  loaded({ isEnabled: true, enabledAt: '2026-11-02T15:04:00.000Z', recoveryCodesLeft, mustEnroll: false });
const off = loaded({ isEnabled: false, recoveryCodesLeft: 0, mustEnroll: false });
const app = {
  acts,
  passwordKind: 'digits',
  offText: texts.appOff,
  removalEnds: texts.removalEnds,
  onSave: () => undefined,
} as const;
const passkeys = [
  {
    _id: '1',
    name: 'My phone',
    createdAt: '2026-11-02T15:04:00.000Z',
    lastUsedAt: '2026-11-20T08:00:00.000Z',
  },
  {
    _id: '2',
    name: 'A laptop with a very long name',
    createdAt: '2026-10-02T15:04:00.000Z',
    confirmsFrom: '2099-12-01T12:19:00.000Z',
  },
];

export function FactorSpecimens() {
  return (
    <SpecimenGrid>
      <Specimen name="AppFactor">
        <AppFactor {...app} app={off} />
      </Specimen>
      <Specimen name="AppFactor, on">
        <AppFactor {...app} app={on(8)} />
      </Specimen>
      <Specimen name="AppFactor, few codes">
        <AppFactor {...app} app={on(1)} />
      </Specimen>
      <Specimen name="AppFactor, not loaded">
        <AppFactor {...app} app={loaded(undefined, true)} />
      </Specimen>
      <Specimen name="PhoneText">
        <p>
          <PhoneText>{fill(texts.removalNotYou, { phone: bank.phone })}</PhoneText>
        </p>
      </Specimen>
      <Specimen name="PasskeyFactor">
        <PasskeyFactor passkeys={loaded(passkeys)} acts={acts} removalEnds={texts.removalEnds} isSupported />
      </Specimen>
      <Specimen name="PasskeyFactor, none">
        <PasskeyFactor
          passkeys={loaded([])}
          acts={acts}
          removalEnds={texts.removalEnds}
          isSupported={false}
        />
      </Specimen>
    </SpecimenGrid>
  );
}
