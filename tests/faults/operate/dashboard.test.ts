import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { startInstallation } from '#tests/faults/installation.ts'
import { freePort } from '#tests/harness/free-port.ts'

type Answer = { status: string; error?: string; data: unknown }
type Panel = { title: string; targets?: { expr: string }[]; panels?: Panel[] }

const { panels } = JSON.parse(readFileSync('deploy/watch/grafana-dashboard.json', 'utf8')) as {
  panels: Panel[]
}
const queriesOf = (panel: Panel): { title: string; expr: string }[] => [
  ...(panel.targets ?? []).map(({ expr }) => ({ title: panel.title, expr })),
  ...(panel.panels ?? []).flatMap(queriesOf),
]
const queries = panels.flatMap(queriesOf)

// `apt-get install prometheus` installs the program.
describe.skipIf(!existsSync('/usr/bin/prometheus'))('a Prometheus that scrapes the product', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'hostdesk-prometheus-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it('answers each query of the dashboard and holds each metric that the dashboard uses', async () => {
    const installation = await startInstallation({ ROLE: 'all' })
    const port = await freePort()
    const config = path.join(folder, 'prometheus.yml')
    const target = new URL(installation.url).host
    writeFileSync(
      config,
      `scrape_configs:\n  - job_name: hostdesk\n    scrape_interval: 1s\n    static_configs: [{ targets: ['${target}'] }]\n`,
    )
    const prometheus = spawn(
      '/usr/bin/prometheus',
      [
        `--config.file=${config}`,
        `--storage.tsdb.path=${path.join(folder, 'data')}`,
        `--web.listen-address=127.0.0.1:${port}`,
        '--log.level=error',
      ],
      { stdio: ['ignore', 'ignore', 'inherit'] },
    )
    const ask = async (call: string): Promise<Answer> =>
      (await fetch(`http://127.0.0.1:${port}/api/v1/${call}`)).json() as Promise<Answer>
    const valueOf = async (expr: string) => {
      const { data } = await ask(`query?query=${encodeURIComponent(expr)}`)
      return (data as { result: { value: [number, string] }[] }).result[0]?.value[1]
    }
    try {
      // Two scrapes with requests between them, which a rate needs.
      const scrapes = 'count_over_time(up{job="hostdesk"}[1m]) > 2 and up{job="hostdesk"} == 1'
      await vi.waitFor(
        async () => {
          await fetch(`${installation.url}/readyz`)
          await fetch(`${installation.url}/api/config/`)
          expect(await valueOf(scrapes)).toBeDefined()
        },
        { timeout: 60_000, interval: 500 },
      )
      for (const { title, expr } of queries) {
        const { status, error } = await ask(`query?query=${encodeURIComponent(expr)}`)
        expect([status, error], `${title}: ${expr}`).toEqual(['success', undefined])
      }
      // A metric that has counted nothing yet has no series, but it is announced.
      const { data } = await ask('targets/metadata')
      const announced = new Set((data as { metric: string }[]).map(({ metric }) => metric))
      const used = new Set(
        queries.flatMap(({ expr }) => expr.match(/\b(?:hostdesk|http|process|nodejs)_[a-z0-9_]+\b/g) ?? []),
      )
      expect(used.size).toBeGreaterThan(20)
      const unknown = [...used].filter(
        (name) => !announced.has(name) && !announced.has(name.replace(/_(?:bucket|count|sum)$/, '')),
      )
      expect(unknown).toEqual([])
      expect(await valueOf('sum(up{job="hostdesk"})')).toBe('1')
      expect(await valueOf('max(hostdesk_workers)')).toBe('1')
    } finally {
      prometheus.kill('SIGTERM')
      await once(prometheus, 'exit')
      await installation.close()
    }
  })
})
