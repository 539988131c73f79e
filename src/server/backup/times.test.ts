/** Which times a replay cannot reach because the clock was set back. */
import { expect, test } from 'vitest';
import { findEarlyEnd } from './times.ts';

const at = (time: string) => `2026-11-22T${time}:00.000Z`;
// From 10:00 to 10:30, the clock was an hour ahead.
const known = ['10:00', '11:01', '11:30', '10:30', '10:45', '11:40', '11:50'].map((time, i) => ({
  at: at(time),
  timeline: '00000001',
  lsn: `0/${i + 1}0`,
}));

test('a replay that stopped while the clock was ahead is too early for a time that came after, and the message names the times around it', () => {
  expect(findEarlyEnd(known, at('10:50'), '0/11', at('11:50'))).toBe(
    `The log cannot be replayed to ${at('10:50')}: the clock was set back to ${at('10:30')} or earlier, and some changes before that have later times. Choose ${at('10:00')} or an earlier time, or a time after ${at('11:30')}, or newest.`,
  );
  expect(findEarlyEnd(known.slice(1, 5), at('10:50'), '0/11', at('10:45'))).toContain('. Choose newest.');
});

test('other replays are complete, also if no times are known', () => {
  expect(findEarlyEnd(known, at('10:15'), '0/11', at('11:50'))).toBeUndefined();
  expect(findEarlyEnd(known, at('11:35'), '0/51', at('11:50'))).toBeUndefined();
  expect(findEarlyEnd(known, at('11:45'), '0/61', at('11:50'))).toBeUndefined();
  expect(findEarlyEnd([], at('10:50'), '0/11', at('11:50'))).toBeUndefined();
});
