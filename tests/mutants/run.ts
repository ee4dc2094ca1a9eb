// `npm run mutants` breaks one line of list.ts after the other, in a copy, and runs the tests that are named for it: one of them must
// fail. Exits with 1 if no test fails for some line. `npm run mutants -- vouchers` takes only the files with this word in their path.
import { execFileSync, spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { makeDatabase } from '#tests/harness/database-for-the-run.ts'
import { vitestOutcome } from '#tools/test-reports.ts'
import { makeCopy } from './broken-copy.ts'
import { mutants } from './list.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const wanted = process.argv.slice(2)
const chosen = mutants.filter(({ file }) => wanted.length === 0 || wanted.some((part) => file.includes(part)))
if (chosen.length === 0) throw new Error(`No line of tests/mutants/list.ts is in ${wanted.join(', ')}`)

const copy = makeCopy(root)
const isOfPages = (file: string): boolean => file.endsWith('.test.tsx')
execFileSync(process.execPath, ['tools/compile-texts.ts'], { cwd: copy.folder, stdio: 'ignore' })
const database = await makeDatabase()
const report = path.join(copy.folder, 'report.json')
const survivors: string[] = []
try {
  const all = [...new Set(chosen.flatMap(({ tests }) => tests))]
  // The browser would wait for the processor behind all of the server's tests.
  for (const tests of [all.filter((file) => !isOfPages(file)), all.filter(isOfPages)].filter(
    ({ length }) => length,
  )) {
    const whole = await judge(tests)
    if (whole.killer !== undefined) throw new Error(`Nothing is broken yet, and it is red: ${whole.killer}`)
    process.stdout.write(`${'as it is'.padEnd(100)} green, ${whole.took_s} s\n`)
  }
  for (const mutant of chosen) {
    const mend = copy.mutate(mutant)
    const { killer, took_s } = await judge(mutant.tests, mutant.file.startsWith('database/'))
    mend()
    const line = `${mutant.file}: ${mutant.why}`
    if (killer === undefined) survivors.push(line)
    process.stdout.write(`${line.padEnd(100)} ${killer ?? 'SURVIVES'}, ${took_s} s\n`)
  }
} finally {
  copy.remove()
  await database.tearDown()
}
process.stdout.write(`${chosen.length - survivors.length} of ${chosen.length} noticed\n`)
if (survivors.length > 0) process.stdout.write(`\nNo test notices:\n${survivors.join('\n')}\n`)
process.exitCode = survivors.length > 0 ? 1 : 0

/**
 * Returns the name of the first test that fails, undefined if none does, and the time that the tests took. Only a change of the schema has a
 * database of its own made for it.
 */
async function judge(
  tests: readonly string[],
  isOfSchema = false,
): Promise<{ killer: string | undefined; took_s: string }> {
  const started_ms = performance.now()
  rmSync(report, { force: true })
  const green = await vitest(tests, isOfSchema ? {} : { ADMIN_URL_OF_TESTS: database.adminUrl })
  const took_s = ((performance.now() - started_ms) / 1000).toFixed(0)
  const { failed = 0, names = [] } = vitestOutcome(report) ?? {}
  if (green) return { killer: undefined, took_s }
  // A file that does not load, or a runner that does not start, proves nothing about the tests.
  if (failed === 0) throw new Error(`The tests did not run: ${names.join('\n')}`)
  const [, name = ''] = /› (.{0,80})/.exec(names.find((line) => line.includes(' › ')) ?? '') ?? []
  return { killer: name, took_s }
}

function vitest(tests: readonly string[], made: NodeJS.ProcessEnv): Promise<boolean> {
  const runner = path.join(root, 'node_modules/vitest/vitest.mjs')
  const output = ['--reporter=json', `--outputFile.json=${report}`]
  const names = [
    ...(tests.some(isOfPages) ? ['web'] : []),
    ...(tests.every(isOfPages) ? [] : ['unit', 'server', 'alone', 'system', 'architecture']),
  ]
  const projects = names.map((name) => `--project=${name}`)
  const command = [runner, 'run', '--bail=1', ...projects, ...output, ...tests]
  const child = spawn(process.execPath, command, {
    cwd: copy.folder,
    // The copy has the packages of this checkout, and a cache of the pages of its own in them.
    env: { ...process.env, ...made, WEB_PART: 'mutants' },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  return new Promise((resolve) => {
    child.once('exit', (code) => resolve(code === 0))
  })
}
