import { isTest } from './tree.ts'
import type { Rule } from './tree.ts'

const asksAgain = 'asks again and again for what tells nobody that it is there'
const nothingComes = 'gives something that must not happen the time to happen'
const kills = 'a kill at any moment'
const isSlow = 'the other side that takes its time'

/** The tests that let time pass, and why each must. All others wait for what they want to see. */
const pausing: Readonly<Record<string, string>> = {
  'app/web/router.test.tsx': nothingComes,
  'features/auth/server/login.test.ts': nothingComes,
  'features/finance/server/payment-events.test.ts': isSlow,
  'features/support/files/hostile-files.e2e.ts': nothingComes,
  'features/support/files/server/kill.test.ts': kills,
  'features/support/messages/web/message-list.test.tsx': isSlow,
  'features/invoices/server/numbers.test.ts': isSlow,
  'features/licences/server/check-in.test.ts': 'a licence runs out by the clock of the database',
  'foundation/server/account-events/record.test.ts': nothingComes,
  'foundation/server/jobs/jobs.test.ts': nothingComes,
  'foundation/server/mail/kill.test.ts': kills,
  'foundation/server/mail/outbox.test.ts': nothingComes,
  'foundation/server/mail/slow-server.test.ts': isSlow,
  'foundation/server/realtime/live.test.ts': isSlow,
  'foundation/web/keep-focus.test.tsx': 'the browser moves the focus a turn later',
  'foundation/web/lazy-page.test.tsx': isSlow,
  'foundation/web/realtime/live.test.tsx': nothingComes,
  'tests/browsers/until-true.ts': asksAgain,
  'tests/faults/cuts.test.ts': 'a job that takes longer than the lease of a lost one',
  'tests/faults/kill-auto-top-ups.test.ts': kills,
  'tests/faults/kill-checkouts.test.ts': kills,
  'tests/faults/kill-payouts.test.ts': kills,
  'tests/faults/kill-money.test.ts': kills,
  'tests/faults/kill-proposals.test.ts': kills,
  'tests/faults/mails-in.test.ts': kills,
  'tests/harness/dovecot.ts': asksAgain,
  'tests/faults/webhooks.test.ts': 'pauses end early again and again while programs fail',
  'tests/faults/operate/check-ins-killed.test.ts': 'an agent that reports at the pace of real clocks',
  'tests/faults/operate/standby.test.ts': 'a writer that comes again a moment after a 503',
  'tests/faults/model/ends.ts': kills,
  'tests/faults/model/story.ts': 'clients that ask again a moment after a 503',
  'tests/faults/operate/proxy.test.ts': 'visitors who ask on and on while processes restart',
  'tests/faults/operate/renewals-killed.test.ts': kills,
  'tests/faults/operate/renewals.test.ts': 'people who ask for a reset now and then',
  'tests/faults/operate/rolling-upgrade.test.ts': 'traffic goes on while processes are exchanged',
  'tests/faults/operate/streaming.ts': asksAgain,
  'tests/harness/agent-process.ts': asksAgain,
  'tests/harness/events.ts': asksAgain,
  'tests/harness/until-answered.ts': asksAgain,
  'tests/start/launched.ts': asksAgain,
  'tests/start/operation.test.ts':
    'a load balancer that asks on and on, an outage that lasts, and a count made once a second',
  'tests/stories/live-calls.e2e.ts': nothingComes,
  'tests/system/agent-alone.test.ts': asksAgain,
  'tests/system/agent.test.ts': nothingComes,
  'tests/system/database-gone.test.ts': asksAgain,
  'tests/system/generated.test.ts': 'comes again as late as a 503 asks for',
  'tests/system/kill.test.ts': kills,
  'tests/system/product-process.ts': asksAgain,
  'tests/web/wire-server.ts': isSlow,
}

const pause = /\bsleep\(|new Promise\([^\n]*\bsetTimeout\(/

/** Matches a call on one line that sets no time limit of its own. */
const hurried = /\bvi\.waitFor\((?!.*(?:timeout|PATIENCE)).*\)$/m

/** Matches a count of elements at this very moment: elements that need another answer of the server may still be missing. */
const counted = /\bexpect\([^\n]*\.elements\(\)\)\.toHaveLength\([1-9]/

/** Matches a call of the API by a story itself, whose answer may be that the server is too busy, or be looked at by nobody. */
const called = /\.request\.(?:get|post|put|patch|delete|fetch)\(/

/** A pause is too long on a quiet machine and too short on a busy one. */
export const pauses: Rule = ({ paths, read }) => {
  const tests = paths.filter(
    (path) =>
      (isTest(path) || /^tests\/.*\.tsx?$/.test(path)) && !/^tests\/(architecture|mutants)\//.test(path),
  )
  return [
    ...tests
      .filter((path) => read(path).includes('waitForTimeout('))
      .map((path) => `${path}: wait for what the page shows, not waitForTimeout.`),
    ...tests
      .filter((path) => hurried.test(read(path)))
      .map((path) => `${path}: vi.waitFor gives up after a second; take expect.poll, or say how long.`),
    ...tests
      .filter((path) => counted.test(read(path)))
      .map(
        (path) => `${path} counts at one moment; take await expect.element(…).toHaveLength(…), which waits.`,
      ),
    ...tests
      .filter((path) => called.test(read(path)) && /\.e2e\.ts$|^tests\/stories\//.test(path))
      .map((path) => `${path} calls by itself; take callApi, which comes again and looks at the answer.`),
    ...tests
      .filter((path) => pause.test(read(path)) && !(path in pausing))
      .map((path) => `${path} lets time pass: wait for what it wants to see, or say why in pauses.ts.`),
  ]
}

/** Finds listed files that pause no more. */
export const idle: Rule = ({ paths, read }) =>
  Object.keys(pausing)
    .filter((path) => !paths.includes(path) || !pause.test(read(path)))
    .map((path) => `${path} lets no time pass: strike it from tests/architecture/rules/pauses.ts.`)
