/**
 * Keeps one server of the bank running in development and replaces it when its code changes. A spare process with the libraries
 * loaded is always ready, because loading them is most of the startup time.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Ready, StartMessage } from './bankServer.ts';

const program = fileURLToPath(new URL('bankServer.ts', import.meta.url));
/** Debounce: one save or checkout can change several files, which must cause only one restart. */
const debounceMs = 30;
/** After this time, a server that was asked to stop is killed. A server drains in eight seconds at most. */
const stopWithinMs = 8_200;

export type KeptBank = {
  /** Starts the first server. Later servers get the same start message, without `welcome` once a server has become ready. */
  begin(message: StartMessage): void;
  /** Resolves with the port of the newest server once it listens. Rejects if that server could not start or has ended. */
  port(): Promise<number>;
  /** Replaces the server because a file changed. Requests that arrive from now on wait for the new one. */
  restart(file: string): void;
  stop(): Promise<void>;
};

/** Nothing runs before `begin`. `say` prints a line to the terminal. */
export function keepBank(say: (line: string) => void): KeptBank {
  /** Every child process that has not ended: the server, the spare, and replaced servers that still drain. */
  const running = new Set<ChildProcess>();
  let newest: ChildProcess | undefined;
  /** The spare: has loaded the libraries and waits for its start message. */
  let spare: ChildProcess | undefined;
  let startMessage: StartMessage | undefined;
  let due: PromiseWithResolvers<number> | undefined;
  let port = awaitNext();
  let debounce: NodeJS.Timeout | undefined;

  /** Requests that arrive from now on wait for the server that resolves `due`. */
  function awaitNext(): Promise<number> {
    due = Promise.withResolvers<number>();
    // A start may fail while no request waits for it.
    due.promise.catch(() => {});
    return due.promise;
  }

  function launch(): ChildProcess {
    const child = fork(program);
    running.add(child);
    child.once('exit', () => {
      running.delete(child);
      if (child === spare) spare = undefined;
    });
    return child;
  }

  function start(message: StartMessage): Promise<number> {
    const child = spare ?? launch();
    spare = undefined;
    newest = child;
    child.send(message);
    return new Promise((resolve, reject) => {
      child.once('message', (ready: Ready) => {
        resolve(ready.port);
        startMessage &&= { ...startMessage, welcome: undefined };
        if (child === newest) spare ??= launch();
      });
      child.once('exit', (code, signal) => {
        const ended = new Error(`The server ended with ${code ?? signal}. The terminal says why.`);
        reject(ended);
        if (child !== newest) return;
        port = Promise.reject(ended);
        port.catch(() => {});
        say(`The server ended with ${code ?? signal}. It starts again when one of its files changes.`);
      });
    });
  }

  /** Closes the channel to a child: it drains and exits. */
  function dismiss(child: ChildProcess | undefined): void {
    if (child === newest) newest = undefined;
    if (child?.connected) child.disconnect();
  }

  return {
    begin(message) {
      startMessage = message;
      due?.resolve(start(message));
      due = undefined;
    },
    async port() {
      for (;;) {
        const current = port;
        try {
          const found = await current;
          if (current === port) return found;
        } catch (error) {
          if (current === port) throw error;
        }
      }
    },
    restart(file) {
      if (!startMessage) return;
      const sent = startMessage;
      const changedAt = performance.now();
      if (!due) {
        port = awaitNext();
        dismiss(newest);
      }
      clearTimeout(debounce);
      debounce = setTimeout(() => {
        const restarted = start(sent);
        due?.resolve(restarted);
        due = undefined;
        restarted.then(
          () => say(`Server restarted in ${Math.round(performance.now() - changedAt)} ms: ${file}`),
          () => {},
        );
      }, debounceMs);
    },
    async stop() {
      clearTimeout(debounce);
      startMessage = undefined;
      newest = undefined;
      await Promise.all(
        [...running].map(async child => {
          const ended = once(child, 'exit');
          const kill = setTimeout(() => child.kill('SIGKILL'), stopWithinMs);
          dismiss(child);
          await ended;
          clearTimeout(kill);
        }),
      );
    },
  };
}
