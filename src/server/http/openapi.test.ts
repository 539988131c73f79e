/** The public OpenAPI document and its page. The content is reviewed in `tests/openapi.json`. */
import { ServerResponse } from 'node:http';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { areas } from '#contract/api.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import { openTestBank, type TestBank } from '../../../tests/server.ts';
import { describeApi } from './openapi.ts';

let bank: TestBank;
beforeAll(async () => {
  bank = await openTestBank({ JOBS: 'off' });
});
afterAll(() => bank.close());

test('the document is OpenAPI 3.1 with the bank’s public address, and needs no login [RC-39]', async () => {
  const document = await (await fetch(`${bank.url}/api/openapi.json`)).json();
  const { publicUrl } = bank.bank.parts;
  expect(document).toMatchObject({
    openapi: '3.1.0',
    info: { title: 'Larkspur Bank API' },
    servers: [{ url: publicUrl }],
  });
  expect(document).toEqual(JSON.parse(JSON.stringify(describeApi(publicUrl))));
});

test('the page lists every call and its refusals, and needs no script [RC-40]', async () => {
  const answer = await fetch(`${bank.url}/api/docs`);
  expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
  const page = await answer.text();
  const calls = Object.values(areas).flatMap(api => Object.values(api) as Endpoint[]);
  for (const { method, path } of calls) expect(page).toContain(`<code>${method} ${path}</code>`);
  expect(page).toContain('<li><b>403</b> ACCOUNT_PENDING, FORBIDDEN</li>');
  expect(page).not.toMatch(/<script|<style|style=/);
});

test('document and page are made and encoded once, because anyone can request them any number of times', async () => {
  const read = async () => {
    for (const path of ['openapi.json', 'docs']) await (await fetch(`${bank.url}/api/${path}`)).text();
  };
  const end = vi.spyOn(ServerResponse.prototype, 'end');
  onTestFinished(() => end.mockRestore());
  for (let n = 0; n < 2; n++) await read();
  const sent = end.mock.calls.map(([bytes]: unknown[]) => bytes);
  expect(sent).toHaveLength(4);
  for (const bytes of sent) expect(bytes).toBeInstanceOf(Buffer);
  expect(new Set(sent).size).toBe(2);
});
