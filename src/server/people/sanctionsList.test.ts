/** How many searches of the sanctions list a name needs. */
import { expect, test } from 'vitest';
import { screening } from '#contract/constants.ts';
import { countLookups } from './sanctionsList.ts';

const lookupsFor = (firstName: string, lastName = '', middleName = '') =>
  countLookups({ firstName, middleName, lastName });

test('a name of digits, look-alikes and pieces needs hardly more searches than an ordinary one of as many words [SX-12]', () => {
  const usual = lookupsFor('Maria Ana Rosa Elena', 'Ruiz Sosa Torres Flores', 'Garcia Lopez Perez Ramos');
  expect(usual).toBe(2 + (screening.maxWords * (screening.maxWords - 1)) / 2);
  const names = [
    ['Mar1a An1a R0sa1 E1ena', 'Ru1z S0sa1 T0rr1s F1ores', 'Garc1a L0p1z P3r1z R1mos'],
    ['а1о ос0е ра3о со4е', 'ас9о ру1о оу0е хе3а', 'хо5а ер6о ау8о ео7а'],
    ['а1о с0 р3 со4е', 'ас9о р1 о0 хе3а', 'хо5а е6 а8 ео7а'],
    ['Ma1 A1 Rəs1a E1 l', 'Ru1z S1 a1 Flor1s', 'G1 a1 Lop1z P1'],
  ] as const;
  for (const [first, last, middle] of names)
    expect(lookupsFor(first, last, middle), first).toBeLessThan(1.5 * usual);
});

test('a name of up to four words is searched for once, or once more with its middle name; a longer name, and short words among long ones, are also searched for in pairs of words [SX-12]', () => {
  expect(lookupsFor('Li', 'Na')).toBe(1);
  expect(lookupsFor('Ana', 'Garcia Lopez')).toBe(1);
  expect(lookupsFor('Ali Abdulrahman', 'Khan Mohammadzai')).toBe(2);
  expect(lookupsFor('小明', '王')).toBe(2);
  expect(lookupsFor('Mei Lin', 'De la Cruz')).toBe(11);
  expect(lookupsFor('Ana', 'Quist', 'Maria')).toBe(2);
  expect(lookupsFor('I v a n', 'P e t r o v')).toBe(2);
});
