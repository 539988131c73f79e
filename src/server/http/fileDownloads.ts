/**
 * Limits responses that stream a file, because a slow reader keeps its response open. There are limits for the number of
 * downloads, for the time a reader may accept nothing, and for the time a download may take. A download ends with its session.
 */
import type { FastifyReply } from 'fastify';
import { Refusal } from '#contract/errors.ts';
import { networkGroup } from '../base/addressGroup.ts';
import { largestGroup } from '../base/concurrency.ts';

/**
 * `ofPerson`, `inAll`: how many downloads one person and all people may have at a time. `stallMs`: how long a reader may accept
 * nothing. `totalMs`: how long a download may take.
 */
const defaults = { ofPerson: 2, inAll: 100, stallMs: 15_000, totalMs: 300_000, checkMs: 5_000 };

export type FileDownloads = {
  /**
   * Counts a response until it closes. Refuses `TOO_MANY` if the person already has `ofPerson` downloads, and `BUSY` if the
   * client has disconnected. If the process already has `inAll`, the network with the most loses its newest one. But if no
   * network has at least two more than this one, refuses `BUSY`. `checkSession` throws if the session has ended.
   */
  begin(reply: FastifyReply, personId: string, checkSession: () => Promise<unknown>): void;
};

export function openFileDownloads(limits: typeof defaults = defaults): FileDownloads {
  const open = new Map<FastifyReply, { personId: string; network: string }>();
  return {
    begin(reply, personId, checkSession) {
      const own = [...open.values()].filter(each => each.personId === personId).length;
      if (own >= limits.ofPerson) throw new Refusal('TOO_MANY', { waitTime: 10 });
      const { raw } = reply;
      const { socket } = raw;
      if (!socket || raw.destroyed) throw new Refusal('BUSY', { waitTime: 1 });
      const network = networkGroup(reply.request.ip);
      if (open.size >= limits.inAll) {
        const byNetwork = Map.groupBy(open.keys(), each => open.get(each)!.network);
        const closed = largestGroup(byNetwork, network)?.at(-1);
        if (!closed) throw new Refusal('BUSY', { waitTime: 10 });
        open.delete(closed);
        closed.raw.destroy();
      }
      open.set(reply, { personId, network });
      const began = performance.now();
      let [accepted, movedAt] = [0, began];
      const watch = setInterval(() => {
        const now = performance.now();
        const isAccepted = socket.bytesWritten - socket.writableLength;
        // If no bytes wait to be sent, the server is the slow side, not the client.
        if (isAccepted !== accepted || socket.writableLength === 0) [accepted, movedAt] = [isAccepted, now];
        if (now - movedAt > limits.stallMs || now - began > limits.totalMs) socket.destroy();
        else void checkSession().catch(() => socket.destroy());
      }, limits.checkMs);
      raw.once('close', () => {
        clearInterval(watch);
        open.delete(reply);
      });
    },
  };
}
