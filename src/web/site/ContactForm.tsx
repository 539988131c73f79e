/**
 * The contact form. Sending takes at least as long as the specification says. Success is reported only after the server has
 * stored the message. If sending fails, the text stays. `?subject=` and `?message=` prefill the form and scroll to it; for a
 * logged-in customer, name and email are prefilled. Another link replaces what the earlier link filled in, unless the
 * visitor has changed it.
 */
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { contact, emailPattern, maxLength } from '#contract/constants.ts';
import * as appMessages from '#contract/messages/app.ts';
import * as contactMessages from '#contract/messages/contact.ts';
import * as errorMessages from '#contract/messages/errors.ts';
import * as registerMessages from '#contract/messages/register.ts';
import { LeaveGuard } from '#web/bank/LeaveGuard.tsx';
import { errorMessage, fieldErrors, isUncertain } from '#web/base/callError.ts';
import { readStored } from '#web/base/sessionStorage.ts';
import { useEarlyInput } from '#web/base/useEarlyInput.ts';
import { useHydrated } from '#web/base/useHydrated.ts';
import { useLocation } from '#web/router/hooks.ts';
import { Banner } from '#web/ui/Banner.tsx';
import { Button } from '#web/ui/Button.tsx';
import { TextAreaField } from '#web/ui/TextAreaField.tsx';
import { TextField } from '#web/ui/TextField.tsx';
import { contactPrefill } from './contactPrefill.ts';
import { contactText } from './content/contact.ts';
import { type Letter, sendContactMessage } from './sendContactMessage.ts';
import './ContactForm.css';

const parts = ['name', 'email', 'subject', 'message'] as const satisfies (keyof Letter)[];
const blank: Letter = { name: '', email: '', subject: '', message: '' };
/** `advice` says what to do now and, after a refusal, that the message was not sent. */
type Outcome = { sent: true } | { sent: false; kind: 'error' | 'warning'; why: string; advice: string };

const pause = (ms: number) => new Promise(done => setTimeout(done, ms));

export function ContactForm() {
  // `prefilled`: the values from the link and the session. A field that differs was changed by the visitor.
  const [{ letter, prefilled }, setForm] = useState({ letter: blank, prefilled: blank });
  const [busy, setBusy] = useState(false);
  const [errors, setErrors] = useState<Partial<Letter>>({});
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  /** The answer to an earlier press was lost, and no later press was answered with success. */
  const [wasLost, setWasLost] = useState(false);
  const hydrated = useHydrated();
  const { search, hash, key } = useLocation();
  const isEdited = parts.some(part => letter[part] !== prefilled[part]);

  const write = (typed: Partial<Letter>) => setForm(now => ({ ...now, letter: { ...now.letter, ...typed } }));
  const form = useEarlyInput(write);

  // Runs after the first render, because a prerendered page knows neither the URL's query nor the customer.
  const opened = useRef('');
  useEffect(() => {
    // A link to an anchor of the page, and Back from there, fill in nothing.
    if (opened.current && (hash || opened.current === key)) return;
    opened.current = key;
    setOutcome(null);
    setErrors({});
    const begun = contactPrefill(search);
    const customer = readStored('user');
    const writer = customer && { name: `${customer.firstName} ${customer.lastName}`, email: customer.email };
    const known: Letter = { ...blank, ...writer, ...begun };
    setForm(now => {
      const next = { ...now.letter };
      for (const part of parts) if (next[part] === now.prefilled[part]) next[part] = known[part];
      return { letter: next, prefilled: known };
    });
    if (Object.keys(begun).length === 0) return;
    const next = form.current?.elements.namedItem(parts.find(part => !known[part]) ?? 'message');
    form.current?.scrollIntoView({ block: 'start' });
    if (next instanceof HTMLElement) next.focus({ preventScroll: true });
  }, [form, search, hash, key]);

  const field = (name: keyof Letter, label: string) => ({
    name,
    label,
    value: letter[name],
    onChange: (value: string) => {
      write({ [name]: value });
      setErrors(now => ({ ...now, [name]: '' }));
    },
    error: errors[name],
    hint: letter[name].length >= maxLength.message ? contactText.cutOff : undefined,
    maxLength: maxLength[name],
    required: true,
  });
  const focusOn = (name = '') => {
    const element = form.current?.elements.namedItem(name);
    if (element instanceof HTMLElement) element.focus();
  };
  const send = async (event: FormEvent) => {
    event.preventDefault();
    if (busy) return;
    setOutcome(null);
    // The browser would accept a field that contains only spaces, and an email address without a dot.
    const wrong: Partial<Letter> = {};
    if (!emailPattern.test(letter.email.trim().toLowerCase())) wrong.email = registerMessages.email;
    for (const part of parts) if (letter[part].trim() === '') wrong[part] = appMessages.fillIn;
    setErrors(wrong);
    const first = parts.find(part => wrong[part]);
    if (first) return focusOn(first);
    setBusy(true);
    const [answer] = await Promise.all([sendContactMessage(letter), pause(contact.sendDelayMs)]);
    setBusy(false);
    if ('error' in answer) {
      const refused = fieldErrors(answer.error);
      setErrors(refused);
      focusOn(Object.keys(refused)[0]);
      const why = errorMessage(answer.error, errorMessages.fault);
      const isUnknown = wasLost || isUncertain(answer.error);
      setWasLost(isUnknown);
      setOutcome(
        isUnknown
          ? { sent: false, kind: 'warning', why: contactText.maybeSent, advice: contactText.maybeTwice }
          : { sent: false, kind: 'error', why, advice: contactText.notSent },
      );
      return;
    }
    setWasLost(false);
    setOutcome({ sent: true });
    setForm({ letter: blank, prefilled: blank });
  };

  return (
    <>
      <noscript>
        <Banner kind="info" title={contactText.needsScript} />
      </noscript>
      <form ref={form} className="ContactForm needs-script" onSubmit={send} noValidate>
        <TextField {...field('name', contactMessages.name)} autoComplete="name" />
        <TextField {...field('email', contactMessages.email)} type="email" autoComplete="email" />
        <TextField {...field('subject', contactMessages.subject)} className="ContactForm-line" />
        <TextAreaField {...field('message', contactMessages.message)} className="ContactForm-line" rows={5} />
        <div className="ContactForm-line ContactForm-end">
          {/* Before hydration, a submit would put the message into the URL. */}
          <Button type={hydrated ? 'submit' : 'button'} busy={busy} busyLabel={contactMessages.sending}>
            {contactMessages.send}
          </Button>
          <p role="status">{outcome?.sent ? contactMessages.sent : ''}</p>
        </div>
        {outcome?.sent === false && (
          <Banner className="ContactForm-line" kind={outcome.kind} title={outcome.why}>
            {outcome.advice}
          </Banner>
        )}
        <LeaveGuard when={isEdited} asks={wasLost ? 'form' : 'unsent'} />
      </form>
    </>
  );
}
