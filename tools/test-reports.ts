import path from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import * as z from 'zod/mini'
import { readJson } from './read-json.ts'

/** The result of a run; `names` lists the failures, a line each, as far as the runner reports them. */
export type Outcome = { passed: number; failed: number; names?: string[] }

/** Returns the outcome in vitest's JSON report; undefined if there is no report, since the runner itself broke. */
export function vitestOutcome(report: string): Outcome | undefined {
  const result = read(report, vitest)
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

/** Returns the tests in vitest's JSON report that did not run, such as tests of a program that this machine lacks. */
export const notRun = (report: string): string[] =>
  (read(report, vitest)?.testResults ?? []).flatMap(({ name: file, assertionResults }) =>
    assertionResults
      .filter(({ status }) => status !== 'passed' && status !== 'failed')
      .map(({ fullName }) => `${path.relative(process.cwd(), file)} › ${fullName}`),
  )

/** Returns the outcome in Playwright's JSON report; undefined if there is none. A test that needed a second try counts as failed. */
export function playwrightOutcome(report: string): Outcome | undefined {
  const result = read(report, playwright)
  if (!result) return undefined
  const { expected, unexpected, flaky } = result.stats
  return { passed: expected, failed: unexpected + flaky, names: redSpecs(result.suites) }
}

const vitest = z.object({
  numPassedTests: z.number(),
  numFailedTests: z.number(),
  testResults: z.array(
    z.object({
      name: z.string(),
      message: z.optional(z.string()),
      assertionResults: z.array(
        z.object({
          status: z.string(),
          fullName: z.string(),
          failureMessages: z._default(z.array(z.string()), []),
        }),
      ),
    }),
  ),
})

const failure = z.object({ error: z.optional(z.object({ message: z.optional(z.string()) })) })
const spec = z.object({
  title: z.string(),
  ok: z.boolean(),
  tests: z.array(z.object({ status: z.string(), results: z.array(failure) })),
})
const suite = z.object({
  title: z.string(),
  get suites() {
    return z.optional(z.array(suite))
  },
  specs: z.array(spec),
})
type Suite = z.output<typeof suite>
const playwright = z.object({
  stats: z.object({ expected: z.number(), unexpected: z.number(), flaky: z.number() }),
  suites: z.array(suite),
})

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

/** Returns the place and the reason. The seed and the counterexample of a property test are kept, the stack is not. */
function line(place: string, why = ''): string {
  const [reason, ...more] = plain(why)
    .split('\n')
    .filter((text) => text.trim() !== '' && !/^\s*at /.test(text))
  const beneath = more.slice(0, MOST_LINES).map((text) => `\n    ${text}`)
  return `${place.replace(`${process.cwd()}/`, '')}: ${reason ?? ''}${beneath.join('')}`
}

const MOST_LINES = 12

/** Returns the reason without colours. If a test took too long, Vitest names its own stack in place of a reason. */
const plain = (why: string): string =>
  stripVTControlCharacters(why).replace('Error: STACK_TRACE_ERROR', 'it did not end in time')

function read<Schema extends z.ZodMiniType>(file: string, schema: Schema): z.output<Schema> | undefined {
  try {
    return readJson(file, schema)
  } catch {
    return undefined
  }
}
