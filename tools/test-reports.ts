import { readFileSync } from 'node:fs'
import path from 'node:path'
import { stripVTControlCharacters } from 'node:util'

/** `names` lists what failed, a line each, as far as the runner reports it. */
export type Outcome = { passed: number; failed: number; names?: string[] }

/** The outcome in vitest's JSON report; undefined where there is none, since the runner itself broke. */
export function vitestOutcome(report: string): Outcome | undefined {
  const result = read(report) as Vitest | undefined
  return (
    result && {
      passed: result.numPassedTests,
      failed: result.numFailedTests,
      names: result.testResults.flatMap(({ name: file, message, assertionResults }) => [
        ...(message ? [line(file, message)] : []),
        ...assertionResults
          .filter(({ status }) => status === 'failed')
          .map(({ fullName, failureMessages }) => line(`${file} › ${fullName}`, failureMessages[0])),
      ]),
    }
  )
}

/** The tests in vitest's JSON report that did not run, such as those of a program that this machine lacks. */
export const notRun = (report: string): string[] =>
  ((read(report) as Vitest | undefined)?.testResults ?? []).flatMap(({ name: file, assertionResults }) =>
    assertionResults
      .filter(({ status }) => status !== 'passed' && status !== 'failed')
      .map(({ fullName }) => `${path.relative(process.cwd(), file)} › ${fullName}`),
  )

/** The same of Playwright's; a test that needed a second try counts as failed. */
export function playwrightOutcome(report: string): Outcome | undefined {
  const result = read(report) as Playwright | undefined
  if (!result) return undefined
  const { expected, unexpected, flaky } = result.stats
  return { passed: expected, failed: unexpected + flaky, names: redSpecs(result.suites) }
}

type Vitest = {
  numPassedTests: number
  numFailedTests: number
  testResults: {
    name: string
    message: string
    assertionResults: { status: string; fullName: string; failureMessages: string[] }[]
  }[]
}

type Playwright = { stats: { expected: number; unexpected: number; flaky: number }; suites: Suite[] }
type Suite = { title: string; suites?: Suite[]; specs: Spec[] }
type Spec = {
  title: string
  ok: boolean
  tests: { status: string; results: { error?: { message?: string } }[] }[]
}

function redSpecs(suites: readonly Suite[], within = ''): string[] {
  return suites.flatMap(({ title, suites: inner = [], specs }) => {
    const place = `${within}${title} › `
    const red = specs.filter(({ ok, tests }) => !ok || tests.some(({ status }) => status === 'flaky'))
    return [
      ...red.map((spec) => line(`${place}${spec.title}`, spec.tests[0]?.results[0]?.error?.message)),
      ...redSpecs(inner, place),
    ]
  })
}

const line = (place: string, why = ''): string =>
  `${place.replace(`${process.cwd()}/`, '')}: ${plain(why).split('\n')[0]}`

/** Vitest names its own stack instead of the reason where a test took too long. */
const plain = (why: string): string =>
  stripVTControlCharacters(why).replace('Error: STACK_TRACE_ERROR', 'it did not end in time')

function read(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return undefined
  }
}
