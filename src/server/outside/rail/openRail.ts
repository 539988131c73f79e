/** Opens the rail that the settings name. */
import type { BankDirectory } from '../../base/routingNumbers.ts';
import { systemClock } from '../clock.ts';
import { openBankRail } from './bankRail.ts';
import type { RailSettings } from './baseRail.ts';
import type { PaymentRail } from './rail.ts';
import { openSandboxRail } from './sandbox.ts';

export const openRail = (
  settings: RailSettings & { railDirectory: BankDirectory | undefined },
): PaymentRail =>
  settings.railDirectory
    ? openBankRail(systemClock, settings, settings.railDirectory)
    : openSandboxRail(systemClock, settings);
