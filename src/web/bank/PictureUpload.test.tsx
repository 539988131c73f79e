/** Uploading a picture: which files are accepted, its progress, and canceling it. */
import { act, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { image } from '#contract/constants.ts';
import * as errorMessages from '#contract/messages/errors.ts';
import { useUpload } from '#web/base/useUpload.ts';
import { waitOptions } from '../../../tests/waiting.ts';
import { PictureUpload } from './PictureUpload.tsx';

type Call = { files: { avatar: File }; onProgress: (percent: number) => void };

let sent: Call[];
let settle: (result: { error?: unknown }) => void;
const abort = vi.fn(() => settle({ error: 'aborted' }));
const person = userEvent.setup({ applyAccept: false });

function send(call: Call) {
  sent.push(call);
  const sending = new Promise<{ error?: unknown }>(resolve => {
    settle = resolve;
  });
  return Object.assign(sending, { abort });
}

function Screen() {
  const upload = useUpload(send);
  return <PictureUpload label="Image" hint="Square" shape="round" upload={upload} />;
}

const press = () => screen.getByRole('button', { name: 'Upload' });
const pick = (file: File) => person.upload(screen.getByLabelText('Image'), file);
const portrait = new File(['.'], 'me.webp', { type: 'image/webp' });

beforeEach(() => {
  sent = [];
  abort.mockClear();
  URL.createObjectURL = () => 'blob:preview';
  URL.revokeObjectURL = () => {};
  render(<Screen />);
});
test('a picked picture is sent by a click, shows its progress, and is cleared once it has arrived [S-03]', async () => {
  await pick(portrait);
  expect(sent).toEqual([]);
  await person.click(press());
  expect(sent[0]?.files.avatar).toBe(portrait);
  act(() => sent[0]?.onProgress(62));
  expect(screen.getByRole<HTMLProgressElement>('progressbar').value).toBe(62);
  settle({});
  expect(await screen.findByLabelText('Image')).toBeDefined();
  expect(screen.queryByText('me.webp')).toBeNull();
  // The pressed button is gone.
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Image')), waitOptions);
});

test('a picture upload can be canceled, and the picture stays picked', async () => {
  await pick(portrait);
  await person.click(press());
  await person.click(screen.getByRole('button', { name: 'Cancel upload' }));
  expect(abort).toHaveBeenCalledOnce();
  expect(await screen.findByText('me.webp')).toBeDefined();
  expect(press()).toBeDefined();
});

test('a picture of an unsupported type, or larger than 10 MB, cannot be sent; exactly 10 MB can [V-19, V-20]', async () => {
  await pick(new File(['<svg/>'], 'me.svg', { type: 'image/svg+xml' }));
  expect(screen.getByText(errorMessages.unsupportedType)).toBeDefined();
  // Refused when it is picked: there is nothing left to send.
  expect(screen.queryByText('me.svg')).toBeNull();
  expect(screen.queryByRole('button', { name: 'Upload' })).toBeNull();
  const heavy = (bytes: number) => new File([new Uint8Array(bytes)], 'big.png', { type: 'image/png' });
  await pick(heavy(image.maxBytes + 1));
  expect(screen.getByText(errorMessages.tooLarge)).toBeDefined();
  await pick(heavy(image.maxBytes));
  expect(press()).toBeDefined();
});
