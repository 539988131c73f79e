/**
 * Accepts browsers' reports of blocked content (CSP level 3, from the Reporting API or the older `report-uri`): a defect in a
 * page, or an injected script. Any client can send a report. So only reports about the bank's own pages are logged. They are
 * sanitized, shortened, and limited per minute, in total and for each network.
 */
import type { FastifyInstance } from 'fastify';
import { unprintable } from '#contract/fields.ts';
import { networkGroup } from '../base/addressGroup.ts';
import { openRateLimit } from '../base/rateLimit.ts';

/**
 * The contract does not list this path, because browsers send their own formats. It is below `/api/`, so that the limits apply.
 */
export const policyReportsPath = '/api/v1/csp-report';

const types = ['application/csp-report', 'application/reports+json'];
const maxBytes = 16 * 1024;
const maxReportsPerBody = 5;
const maxFieldLength = 200;
const maxLogsPerMinute = { all: 100, network: 10 } as const;
const everyUnprintable = new RegExp(unprintable, 'gu');
/** The part of a URL before the host that may contain a name and a password, even in malformed URLs. */
const userInfo = /^((?:blob:|view-source:)?(?:[a-z][a-z\d+.-]*:)?[/\\]*)[^/\\]*@/i;

type Fields = Record<string, unknown>;
const asFields = (value: unknown): Fields =>
  typeof value === 'object' && value !== null ? { ...value } : {};

/** Sanitizes a field of a report: removes a URL's query, fragment and credentials, and unprintable characters. */
const clean = (value: unknown) =>
  typeof value === 'string' || typeof value === 'number'
    ? String(value)
        .replace(/[?#].*$/s, '')
        .replace(everyUnprintable, '')
        .trim()
        .replace(userInfo, '$1')
        .slice(0, maxFieldLength)
    : '';

type Report = Record<'directive' | 'blocked' | 'page' | 'source' | 'line', string>;

function readReports(text: string): Report[] {
  let sent: unknown;
  try {
    sent = JSON.parse(text);
  } catch {
    return [];
  }
  const bodies = Array.isArray(sent)
    ? sent.map(report => asFields(report).body)
    : [asFields(sent)['csp-report']];
  return bodies
    .slice(0, maxReportsPerBody)
    .map(asFields)
    .map(body => ({
      directive: clean(body.effectiveDirective ?? body['effective-directive'] ?? body['violated-directive']),
      blocked: clean(body.blockedURL ?? body['blocked-uri']),
      page: clean(body.documentURL ?? body['document-uri']),
      source: clean(body.sourceFile ?? body['source-file']),
      line: clean(body.lineNumber ?? body['line-number']),
    }))
    .filter(({ directive }) => directive !== '');
}

/** Adds the route. Logs only reports about pages of `publicUrl` (an origin). Answers 204 whether or not it logs a report. */
export function acceptPolicyReports(app: FastifyInstance, publicUrl: string): void {
  const allLogs = openRateLimit({ times: maxLogsPerMinute.all, seconds: 60 });
  const logsOfNetwork = openRateLimit({ times: maxLogsPerMinute.network, seconds: 60 });
  void app.register(async scope => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(types, { parseAs: 'string', bodyLimit: maxBytes }, (_, text, done) =>
      done(null, text),
    );
    scope.post(
      policyReportsPath,
      { config: { addressQuota: 'reports' } },
      async ({ body, log, ip }, reply) => {
        const network = networkGroup(ip);
        const reports = typeof body === 'string' ? readReports(body) : [];
        for (const report of reports.filter(({ page }) => page.startsWith(`${publicUrl}/`))) {
          if (allLogs.left('all') === 0 || logsOfNetwork.left(network) === 0) break;
          allLogs.count('all');
          logsOfNetwork.count(network);
          log.warn(report, 'a page broke its policy');
        }
        return reply.code(204).send();
      },
    );
  });
}
