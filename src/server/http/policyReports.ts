/**
 * Browsers' reports of what a page's policy has kept from happening (CSP level 3, by the Reporting API or the older
 * `report-uri`): a fault in a page, or somebody's script in one. They go to the log, cleaned and cut, for anybody may send one.
 */
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';

/** No call of the API: browsers alone send here, in forms of their own. */
export const policyReportsPath = '/api/v1/csp-report';

const types = ['application/csp-report', 'application/reports+json'];
const maxBytes = 16 * 1024;
const mostOfOneBody = 5;
const longest = 200;

type Fields = Record<string, unknown>;
const asFields = (value: unknown): Fields =>
  typeof value === 'object' && value !== null ? { ...value } : {};

/** An address without what may be secret in it. */
const plain = (value: unknown) =>
  typeof value === 'string' || typeof value === 'number'
    ? String(value)
        .replace(/[?#].*$/s, '')
        .slice(0, longest)
    : '';

function readReports(text: string): { directive: string; blocked: string; page: string; line: string }[] {
  let sent: unknown;
  try {
    sent = JSON.parse(text);
  } catch {
    return [];
  }
  const bodies = Array.isArray(sent) ? sent.map(one => asFields(one).body) : [asFields(sent)['csp-report']];
  return bodies
    .slice(0, mostOfOneBody)
    .map(asFields)
    .map(body => ({
      directive: plain(body.effectiveDirective ?? body['effective-directive'] ?? body['violated-directive']),
      blocked: plain(body.blockedURL ?? body['blocked-uri']),
      page: plain(body.documentURL ?? body['document-uri']),
      line: plain(body.lineNumber ?? body['line-number']),
    }))
    .filter(({ directive }) => directive !== '');
}

/** Takes reports, and says 204 to every one that is none of ours too. */
export function takePolicyReports(app: FastifyInstance, log: FastifyBaseLogger): void {
  void app.register(async scope => {
    scope.addContentTypeParser(types, { parseAs: 'string', bodyLimit: maxBytes }, (_, text, done) =>
      done(null, text),
    );
    scope.post(policyReportsPath, async ({ body }, reply) => {
      const reports = typeof body === 'string' ? readReports(body) : [];
      for (const report of reports) log.warn(report, 'a page broke its policy');
      return reply.code(204).send();
    });
  });
}
