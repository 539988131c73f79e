/** The registration form: what is sent, and which messages a visitor reads first. */
import { expect, test } from 'vitest';
import { image } from '#contract/constants.ts';
import * as errorMessages from '#contract/messages/errors.ts';
import * as registerMessages from '#contract/messages/register.ts';
import { blankTexts, validateRegistration } from './registrationForm.ts';

const texts = {
  firstName: ' Wren ',
  middleName: '',
  lastName: 'Hale',
  gender: 'female',
  address: '18 Meadow Row',
  region: 'New York',
  zipCode: '10014',
  email: ' Wren@Larkspur.example ',
  phoneNumber: '2125550100',
  password: '482915',
};
const picture = (bytes = 8, type = 'image/png') => new File([new Uint8Array(bytes)], 'me.png', { type });
const files = { avatar: picture(), idCard: null };

test('a complete form is trimmed before it is sent, and needs no middle name [V-02, V-09]', () => {
  const { form } = validateRegistration(texts, files);
  expect(form).toMatchObject({ firstName: 'Wren', middleName: '', email: 'wren@larkspur.example' });
});

test('missing fields are listed together by their labels, and each is marked [V-01]', () => {
  const { refused } = validateRegistration({ ...texts, firstName: '  ', zipCode: '' }, files);
  expect(refused?.sentence).toBe('Please fill in all required fields: First name, ZIP code');
  expect(Object.keys(refused?.errors ?? {})).toEqual(['firstName', 'zipCode']);
});

test('an empty form names all nine required fields and asks for the picture [V-01, V-07]', () => {
  const { refused } = validateRegistration(blankTexts, { avatar: null, idCard: null });
  expect(Object.keys(refused?.errors ?? {})).toHaveLength(10);
  expect(refused?.errors.avatar).toBe(registerMessages.avatar);
});

test.each([
  ['email', 'wren@', 'Please enter a valid email address'],
  ['phoneNumber', '212555010', 'Please enter a valid 10-digit phone number'],
  ['password', '48291', 'Password must be at least 6 digits long and contain only numbers'],
])('an invalid %s has its own error sentence [V-03, V-04, V-05]', (field, value, sentence) => {
  const { refused } = validateRegistration({ ...texts, [field]: value }, files);
  expect(refused).toEqual({ sentence, errors: { [field]: sentence } });
});

test('a phone number with its country code and dashes is sent as ten digits [V-32]', () => {
  const { form } = validateRegistration({ ...texts, phoneNumber: '+1 (212) 555-0188' }, files);
  expect(form?.phoneNumber).toBe('2125550188');
});

test('without a profile image nothing is sent [V-07]', () => {
  const { refused } = validateRegistration(texts, { avatar: null, idCard: null });
  expect(refused?.sentence).toBe('Please upload a profile image');
});

test('an unreadable picture has a message of its own, not that of a missing one [V-07, V-08]', () => {
  const { refused } = validateRegistration(texts, {
    avatar: { problem: errorMessages.imageBroken },
    idCard: null,
  });
  expect(refused?.errors).toEqual({ avatar: errorMessages.imageBroken });
});

test('a document that is not an image and a picture over 10 MB are refused before the upload [V-08]', () => {
  const document = validateRegistration(texts, { ...files, idCard: picture(8, 'application/pdf') });
  expect(document.refused?.errors).toEqual({ idCard: errorMessages.unsupportedType });
  const huge = validateRegistration(texts, { ...files, avatar: picture(image.maxBytes + 1) });
  expect(huge.refused?.errors).toEqual({ avatar: errorMessages.tooLarge });
});
