/** Detects easily guessed numeric passwords, for a warning only. The specification's rule decides which are accepted. */
import { password } from '#contract/constants.ts';

/** Whether the digits are one digit repeated, or a run up or down (9 and 0 are neighbors). False while they are too short. */
export function isEasyToGuess(digits: string): boolean {
  if (digits.length < password.minDigits) return false;
  const steps = new Set<number>();
  for (let i = 1; i < digits.length; i++) steps.add((Number(digits[i]) - Number(digits[i - 1]) + 10) % 10);
  const [step] = steps;
  return steps.size === 1 && (step === 0 || step === 1 || step === 9);
}
