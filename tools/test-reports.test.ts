import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { notRun, playwrightOutcome, vitestOutcome } from './test-reports.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'hostdesk-reports-'))
afterAll(() => rmSync(folder, { recursive: true }))

function written(report: object): string {
  const file = path.join(folder, 'report.json')
  writeFileSync(file, JSON.stringify(report))
  return file
}

it('names what failed in the files of vitest, and files that could not be read', () => {
  const file = `${process.cwd()}/features/x/y.test.ts`
  const report = written({
    numPassedTests: 3,
    numFailedTests: 2,
    testResults: [
      {
        name: file,
        message: '',
        assertionResults: [
          { status: 'passed', fullName: 'is fine', failureMessages: [] },
          { status: 'skipped', fullName: 'needs nginx', failureMessages: [] },
          { status: 'failed', fullName: 'a // b', failureMessages: ['\u001B[31mexpected 1\u001B[39m\nat z'] },
          { status: 'failed', fullName: 'waits', failureMessages: ['Error: STACK_TRACE_ERROR\nat z'] },
          {
            status: 'failed',
            fullName: 'holds',
            failureMessages: ['Error: Property failed\n{ seed: 1 }\n\nCounterexample: [2]\n    at z'],
          },
        ],
      },
      { name: file, message: 'no such module\nat z', assertionResults: [] },
    ],
  })
  expect(notRun(report)).toEqual(['features/x/y.test.ts › needs nginx'])
  expect(vitestOutcome(report)).toEqual({
    passed: 3,
    failed: 2,
    names: [
      'features/x/y.test.ts › a // b: expected 1',
      'features/x/y.test.ts › waits: it did not end in time',
      'features/x/y.test.ts › holds: Error: Property failed\n    { seed: 1 }\n    Counterexample: [2]',
      'features/x/y.test.ts: no such module',
    ],
  })
})

it('names what failed in the stories, also where a second try passed', () => {
  const spec = (title: string, status: string, message?: string) => ({
    title,
    ok: status !== 'unexpected',
    tests: [{ status, results: [{ error: message === undefined ? undefined : { message } }] }],
  })
  const report = written({
    stats: { expected: 1, unexpected: 1, flaky: 1 },
    suites: [
      {
        title: 'tests/stories/a.e2e.ts',
        specs: [spec('one', 'expected'), spec('two', 'unexpected', 'timeout')],
        suites: [{ title: 'in de', specs: [spec('three', 'flaky', 'gone')] }],
      },
    ],
  })
  expect(playwrightOutcome(report)).toEqual({
    passed: 1,
    failed: 2,
    names: ['tests/stories/a.e2e.ts › two: timeout', 'tests/stories/a.e2e.ts › in de › three: gone'],
  })
})

it('knows of nothing where the runner wrote no report', () => {
  expect(vitestOutcome(path.join(folder, 'none.json'))).toBeUndefined()
})
