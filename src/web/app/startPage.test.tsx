/** When and in which order a prerendered page loads the app. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { waitOptions } from '../../../tests/waiting.ts';

const page = document.documentElement.dataset;
const evaluated: number[] = [];
Object.assign(globalThis, { evaluated });

let visits = 0;
/** A file of the app, new for every test: a browser evaluates each URL only once. */
const fileOf = (code: string) => `data:text/javascript,${code}//${visits}`;

/** Runs the page's script again. */
async function openPage(): Promise<void> {
  vi.resetModules();
  await import('./startPage.ts');
}
const requested = () => document.head.querySelectorAll('link[rel=modulepreload]').length;

beforeEach(() => {
  visits += 1;
  page.chunks = [1, 2, 3, 4, 5].map(place => fileOf(`evaluated.push(${place})`)).join(' ');
});
afterEach(() => {
  document.head.replaceChildren();
  document.body.replaceChildren();
  evaluated.length = 0;
  delete page.customer;
});

test('a click loads the app once: files are requested three at a time and evaluated in order, the entry last', async () => {
  await openPage();
  expect(requested()).toBe(0);
  dispatchEvent(new Event('pointerdown'));
  dispatchEvent(new Event('keydown'));
  expect(requested()).toBe(3);
  await vi.waitFor(() => expect(evaluated).toEqual([1, 2, 3, 4, 5]), waitOptions);
  expect(requested()).toBe(5);
});

test('a visitor with a session gets the app immediately', async () => {
  page.customer = '';
  await openPage();
  expect(requested()).toBe(3);
  await vi.waitFor(() => expect(evaluated).toEqual([1, 2, 3, 4, 5]), waitOptions);
});

test('a visitor without a session gets the app once the page is painted and the browser is idle', async () => {
  await openPage();
  dispatchEvent(new Event('load'));
  expect(requested()).toBe(0);
  await vi.waitFor(() => expect(evaluated).toEqual([1, 2, 3, 4, 5]), waitOptions);
});

test('a button marked as waiting remembers a click that came before the app', async () => {
  document.body.innerHTML = '<button data-waits=""><b>Log out</b></button><button>Other</button>';
  await openPage();
  for (const part of document.body.querySelectorAll<HTMLElement>('b, button:last-child')) part.click();
  const [waiting, other] = document.body.querySelectorAll('button');
  expect(waiting?.hasAttribute('data-pressed')).toBe(true);
  expect(other?.hasAttribute('data-pressed')).toBe(false);
});

test('a file that throws is reported, and the others are evaluated', async () => {
  const report = vi.fn();
  vi.stubGlobal('reportError', report);
  page.customer = '';
  page.chunks = ['evaluated.push(1)', 'throw(1)', 'evaluated.push(2)'].map(fileOf).join(' ');
  await openPage();
  await vi.waitFor(() => expect(evaluated).toEqual([1, 2]), waitOptions);
  expect(report).toHaveBeenCalledTimes(1);
  vi.unstubAllGlobals();
});
