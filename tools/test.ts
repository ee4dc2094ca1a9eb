// `npm test`: every check there is, from the quickest to the slowest. What is red before the product runs stops it; of
// the tests of the running product each stage is run, since one look should show all that is wrong.
// What failed is named once more at the end; the last line is `N passed, N failed`.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { playwrightOutcome, vitestOutcome, type Outcome } from './test-reports.ts'

type Stage = { name: string; running?: true; run(report: string): Outcome }

const stages: Stage[] = [
  { name: 'texts', run: () => tool('tools/compile-texts.ts') },
  { name: 'types', run: () => tool('node_modules/typescript/bin/tsc', '-b') },
  {
    name: 'lint',
    run: () =>
      both(tool('node_modules/oxlint/bin/oxlint', '--type-aware'), () =>
        tool('node_modules/oxfmt/bin/oxfmt', '--check'),
      ),
  },
  { name: 'dead code', run: () => tool('node_modules/knip/bin/knip.js', '--no-config-hints') },
  { name: 'architecture', run: (report) => vitest(report, 'architecture') },
  { name: 'server', running: true, run: (report) => vitest(report, 'unit', 'server', 'system') },
  { name: 'start', running: true, run: (report) => vitest(report, 'start') },
  { name: 'chromium', run: () => tool('tools/ensure-chromium.ts') },
  { name: 'web', running: true, run: (report) => vitest(report, 'web') },
  { name: 'browser', run: playwright },
]

const folder = mkdtempSync(path.join(tmpdir(), 'hostdesk-report-'))
const total = { passed: 0, failed: 0 }
const red: string[] = []
for (const [index, stage] of stages.entries()) {
  process.stdout.write(`\n── ${stage.name} ──\n`)
  const started_ms = performance.now()
  const { passed, failed, names = [] } = stage.run(path.join(folder, `${index}.json`))
  total.passed += passed
  total.failed += failed
  if (failed) red.push(...(names.length > 0 ? names : [stage.name]))
  const took_s = ((performance.now() - started_ms) / 1000).toFixed(1)
  process.stdout.write(`${stage.name}: ${failed ? 'red' : 'green'} after ${took_s} s\n`)
  if (failed && !stage.running) break
}
rmSync(folder, { recursive: true, force: true })
if (red.length > 0) process.stdout.write(`\n── red ──\n${red.join('\n')}\n`)
process.stdout.write(`${total.passed} passed, ${total.failed} failed\n`)
process.exitCode = total.failed ? 1 : 0

/** A tool that is right or wrong as a whole: nothing passed is counted, one failure is. */
function tool(...command: string[]): Outcome {
  return { passed: 0, failed: execute(command) ? 0 : 1 }
}

function both(first: Outcome, second: () => Outcome): Outcome {
  return first.failed ? first : second()
}

function vitest(report: string, ...projects: string[]): Outcome {
  const chosen = projects.flatMap((project) => ['--project', project])
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  const green = execute(['node_modules/vitest/vitest.mjs', 'run', ...chosen, ...reporters])
  return count(vitestOutcome(report), green)
}

function playwright(report: string): Outcome {
  const environment = { PLAYWRIGHT_JSON_OUTPUT_NAME: report }
  const green = execute(['node_modules/playwright/cli.js', 'test', '--reporter=line,json'], environment)
  return count(playwrightOutcome(report), green)
}

/** A runner that fails outside its tests (a file that cannot be read, a server that does not start) is red too. */
function count(outcome: Outcome | undefined, green: boolean): Outcome {
  const { passed, failed, names = [] } = outcome ?? { passed: 0, failed: 0 }
  return { passed, failed: green ? failed : Math.max(1, failed), names }
}

function execute(command: string[], environment: Record<string, string> = {}): boolean {
  return (
    spawnSync(process.execPath, command, {
      stdio: ['ignore', 'inherit', 'inherit'],
      env: { ...process.env, ...environment },
    }).status === 0
  )
}
