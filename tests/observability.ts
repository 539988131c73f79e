/** The Prometheus queries in the files of `deploy/observability`, and a check that the bank has the metrics they use. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';

export const observability = fileURLToPath(new URL('../deploy/observability', import.meta.url));
const read = (file: string) => readFileSync(`${observability}/${file}`, 'utf8');

type Rule = { alert: string; expr: string; labels: { severity: string }; annotations: { summary: string } };
type Panel = { title: string; targets: { expr: string }[] };

export const alerts = (parse(read('alerts.yml')) as { groups: { rules: Rule[] }[] }).groups.flatMap(
  group => group.rules,
);
const panels = (JSON.parse(read('dashboard.json')) as { panels: Panel[] }).panels;
const expressions = [
  ...alerts.map(({ alert, expr }) => ({ of: alert, expr })),
  ...panels.flatMap(({ title, targets }) => targets.map(({ expr }) => ({ of: title, expr }))),
];

/** Labels that are not checked: Prometheus adds `job` and `instance`, and `le` is on the buckets of every histogram. */
const addedLabels = new Set(['job', 'instance', 'le']);

/**
 * Returns the metrics, labels and routes that alerts and dashboard use but that `metrics`, the text of `GET /metrics`, lacks.
 * `only`: checks these expressions instead of all.
 */
export function missingIn(metrics: string, only = expressions): string[] {
  const samples = (name: string) =>
    metrics.split('\n').filter(line => line.startsWith(`${name}{`) || line.startsWith(`${name} `));
  const missing: string[] = [];
  for (const { of, expr } of only) {
    const grouped = [...expr.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, labels]) => labels!.split(/, */));
    for (const [, name, matchers = ''] of expr.matchAll(
      /\b((?:larkspur|process|nodejs)_\w+|up)\b(?:\{([^}]*)\})?/g,
    )) {
      // Prometheus itself says whether a server is up.
      if (name === 'up') continue;
      const lines = samples(name!);
      if (lines.length === 0) missing.push(`${of}: ${name}`);
      const labels = [...matchers.matchAll(/(\w+)=/g)].map(([, label]) => label!);
      for (const label of [...labels, ...grouped])
        if (!addedLabels.has(label) && !lines.some(line => line.includes(`${label}="`)))
          missing.push(`${of}: ${name}{${label}}`);
      const route = /route="[^"]*"/.exec(matchers)?.[0];
      if (route && !lines.some(line => line.includes(route))) missing.push(`${of}: ${route}`);
    }
  }
  return missing;
}
