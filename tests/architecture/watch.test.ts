import { globSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

// Each name in the dashboard and the alerts must exist. A test with promtool shows that the alerts fire (`npm run test:faults -- operate`).
const alerts = readFileSync('deploy/watch/alerts.yml', 'utf8')
const dashboard = readFileSync('deploy/watch/grafana-dashboard.json', 'utf8')
const page = readFileSync('docs/operate/watch.md', 'utf8')
const names = [...alerts.matchAll(/- alert: (\w+)/g)].map(([, name = '']) => name)

it('each alert links to its heading in docs/operate/watch.md, and each heading there names an alert', () => {
  const links = [...alerts.matchAll(/runbook: docs\/operate\/watch\.md#(\S+)/g)].map(([, anchor]) => anchor)
  expect(links).toEqual(names.map((name) => name.toLowerCase()))
  expect([...page.matchAll(/^### (Hostdesk\w+)$/gm)].map(([, name]) => name)).toEqual(names)
})

it('each metric that the alerts and the dashboard use is one that the product exposes', () => {
  const sources = globSync('{app,features,foundation}/**/*.ts').map((file) => readFileSync(file, 'utf8'))
  const declared = new Set(
    sources.flatMap((source) => source.match(/\b(?:hostdesk|http|process)_[a-z_]+\b/g) ?? []),
  )
  const prometheus =
    /^(?:nodejs_eventloop_lag_p99_seconds|process_resident_memory_bytes|process_start_time_seconds|process_cpu_seconds_total)$/
  const used = new Set(`${alerts}${dashboard}`.match(/\b(?:hostdesk|http|process|nodejs)_[a-z0-9_]+\b/g))
  expect(used.size).toBeGreaterThan(20)
  const unknown = [...used].filter(
    (name) => !prometheus.test(name) && !declared.has(name.replace(/_(?:bucket|count|sum)$/, '')),
  )
  expect(unknown).toEqual([])
})

it('each metric of ours is explained in docs/operate/watch.md', () => {
  const sources = globSync('{app,features,foundation}/**/*.ts', { exclude: ['**/*.test.ts'] })
  const ours = new Set(
    sources.flatMap(
      (file) =>
        readFileSync(file, 'utf8').match(
          /\bhostdesk_[a-z_]+_(?:total|seconds|info)\b|\bhostdesk_(?:jobs|mails|top_ups|database|streams|data_dir|backup)_[a-z_]+\b|\bhostdesk_(?:workers)\b/g,
        ) ?? [],
    ),
  )
  expect([...ours].filter((name) => !page.includes(`\`${name}`))).toEqual([])
})
