// `npm test`: every check there is, from the quickest to the slowest. A red check before the product runs
// ends the command; the stages that run the product all run, since one run should show all that is wrong.
// Failures are named once more at the end, after the seconds of each stage; the last line is `N passed, N failed`.
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { COMPILE_CACHE } from '#app/server/compile-cache.ts'
import { memoryFolder } from './memory-folder.ts'
import { playwrightOutcome, vitestOutcome, type Outcome } from './test-reports.ts'

type Stage = { name: string; running?: true; run(report: string): Promise<Outcome> }

const stages: Stage[] = [
  { name: 'texts', run: () => tool('tools/compile-texts.ts') },
  {
    name: 'types, lint and dead code',
    // These run at the same time, since the compiler and the finder of dead code use one thread each.
    run: () =>
      together([
        named('types', tool('node_modules/typescript/bin/tsc', '-b')),
        named('lint', tool('node_modules/oxlint/bin/oxlint', '--type-aware')),
        named('format', tool('node_modules/oxfmt/bin/oxfmt', '--check')),
        named('dead code', tool('node_modules/knip/bin/knip.js', '--no-config-hints')),
      ]),
  },
  { name: 'architecture', run: (report) => vitest(report, ['architecture']) },
  {
    name: 'server',
    running: true,
    run: besideStarts,
  },
  { name: 'chromium', run: () => tool('tools/ensure-chromium.ts') },
  { name: 'web', running: true, run: webInParts },
  { name: 'browser', run: playwright },
]

/** The tests of the pages run in so many parts, each in a runner of its own. */
const WEB_PARTS = [1, 2, 3]

const temporary = memoryFolder()
const folder = mkdtempSync(path.join(tmpdir(), 'hostdesk-report-'))
const total = { passed: 0, failed: 0 }
const red: string[] = []
const seconds: string[] = []
for (const [index, stage] of stages.entries()) {
  process.stdout.write(`\n── ${stage.name} ──\n`)
  const started_ms = performance.now()
  const { passed, failed, names = [] } = await stage.run(path.join(folder, `${index}.json`))
  total.passed += passed
  total.failed += failed
  if (failed) red.push(...(names.length > 0 ? names : [stage.name]))
  const took_s = ((performance.now() - started_ms) / 1000).toFixed(1)
  process.stdout.write(`${stage.name}: ${failed ? 'red' : 'green'} after ${took_s} s\n`)
  seconds.push(`${took_s.padStart(8)}  ${stage.name}`)
  if (failed && !stage.running) break
}
rmSync(folder, { recursive: true, force: true })
process.stdout.write(`\n── seconds ──\n${seconds.join('\n')}\n`)
if (red.length > 0) process.stdout.write(`\n── red ──\n${red.join('\n')}\n`)
process.stdout.write(`${total.passed} passed, ${total.failed} failed\n`)
process.exitCode = total.failed ? 1 : 0

/** Runs a tool that succeeds or fails as a whole: a success counts as nothing, a failure as one failed test. */
async function tool(...command: string[]): Promise<Outcome> {
  return { passed: 0, failed: (await execute(command)) ? 0 : 1 }
}

/**
 * Runs the files of the project `start` in a runner of their own, one by one, beside the other projects. They start and stop the
 * product, which is mostly waiting; one runner for all projects would run all these files at the same time, and wait for them.
 */
async function besideStarts(report: string): Promise<Outcome> {
  // The build runs once, before either of the two runners uses it.
  const built = await named('build', tool('tools/build.ts'))
  if (built.failed) return built
  return together([
    vitest(report, ['unit', 'server', 'alone', 'system']),
    named('start', vitest(`${report}.start`, ['start'], ['--maxWorkers=1'])),
  ])
}

/**
 * Runs the tests of the pages in three runners, each with a third of the files and a browser of its own, since one page at a time
 * leaves a core idle.
 */
async function webInParts(report: string): Promise<Outcome> {
  return together(
    WEB_PARTS.map((part) =>
      named(
        `web, part ${part}`,
        vitest(`${report}.${part}`, ['web'], [`--shard=${part}/${WEB_PARTS.length}`], {
          WEB_PART: `${part}`,
        }),
      ),
    ),
  )
}

/** Adds up the outcomes of several runs at once. */
async function together(running: Promise<Outcome>[]): Promise<Outcome> {
  const parts = await Promise.all(running)
  return {
    passed: parts.reduce((sum, { passed }) => sum + passed, 0),
    failed: parts.reduce((sum, { failed }) => sum + failed, 0),
    names: parts.flatMap(({ names = [] }) => names),
  }
}

/** Gives the name of the run to a failure that names no test. */
async function named(name: string, running: Promise<Outcome>): Promise<Outcome> {
  const outcome = await running
  return outcome.failed && !outcome.names?.length ? { ...outcome, names: [name] } : outcome
}

async function vitest(
  report: string,
  projects: readonly string[],
  options: readonly string[] = [],
  environment: Record<string, string> = {},
): Promise<Outcome> {
  const green = await execute([...vitestCommand(report, projects), ...options], environment)
  return count(vitestOutcome(report), green)
}

function vitestCommand(report: string, projects: readonly string[]): string[] {
  const chosen = projects.flatMap((project) => ['--project', project])
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  return ['node_modules/vitest/vitest.mjs', 'run', ...chosen, ...reporters]
}

async function playwright(report: string): Promise<Outcome> {
  const environment = { PLAYWRIGHT_JSON_OUTPUT_NAME: report }
  const green = await execute(['node_modules/playwright/cli.js', 'test', '--reporter=line,json'], environment)
  return count(playwrightOutcome(report), green)
}

/** A runner that fails outside its tests (a file that cannot be read, a server that does not start) is red too. */
function count(outcome: Outcome | undefined, green: boolean): Outcome {
  const { passed, failed, names = [] } = outcome ?? { passed: 0, failed: 0 }
  return { passed, failed: green ? failed : Math.max(1, failed), names }
}

function execute(command: string[], environment: Record<string, string> = {}): Promise<boolean> {
  const child = spawn(process.execPath, command, {
    stdio: ['ignore', 'inherit', 'inherit'],
    // Programs that the tests start use compiled code from the cache, as the product does.
    env: {
      ...process.env,
      NODE_COMPILE_CACHE: COMPILE_CACHE,
      ...(temporary && { TMPDIR: temporary }),
      ...environment,
    },
  })
  return new Promise((resolve) => {
    child.once('error', () => resolve(false))
    child.once('exit', (code) => resolve(code === 0))
  })
}
