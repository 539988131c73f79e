/** The parser of server-sent events: a stream can be split into chunks anywhere. */
import { expect, test } from 'vitest';
import { readEvents, type StreamEvent } from './eventStream.ts';

function read(...pieces: string[]): StreamEvent[] {
  const events: StreamEvent[] = [];
  const take = readEvents(event => events.push(event));
  for (const piece of pieces) take(piece);
  return events;
}

const stream =
  ':\n\nevent: changed\ndata: {"newest":"a"}\n\n: a word\n\ndata: one\ndata:two\n\nevent: empty\n\n';
const events = [
  { event: 'changed', data: '{"newest":"a"}' },
  { event: 'message', data: 'one\ntwo' },
];

test('an event has a name and data lines; comments and events without data are ignored', () => {
  expect(read(stream)).toEqual(events);
});

test('events are the same wherever the stream is split and whatever ends its lines', () => {
  for (const end of ['\n', '\r\n', '\r']) {
    // After a final \r the parser waits for one more character, because \n could follow.
    const text = stream.replaceAll('\n', end);
    for (let at = 0; at <= text.length; at++)
      expect(read(text.slice(0, at), text.slice(at), end === '\r' ? ':' : ''), `${at}`).toEqual(events);
    expect(read(...text.split(''), ':')).toEqual(events);
  }
});

test('an incomplete event is not delivered', () => {
  expect(read('event: changed\ndata: {"newest"')).toEqual([]);
  expect(read('event: changed\ndata: 1\n')).toEqual([]);
});
