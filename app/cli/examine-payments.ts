import { askable, judged, type Readiness, type Subscription } from '#features/finance/server/finance.ts'
import type { ProviderName } from '#features/finance/rules.ts'
import type { Config } from '#foundation/server/config.ts'
import { errorLines } from '#foundation/server/error-lines.ts'
import { Warning } from './warning.ts'

const PAGE = 'docs/operate/payments.md'

type Finding = { state: 'fine' | 'absent' | 'doubtful' | 'failed'; text: string }

/**
 * Examines if each provider that is set up can work, and sends the events that tell of payments: without them money that customers paid never
 * reaches their balance. A fault of one hides no fault of another.
 */
export async function examinePayments(config: Config): Promise<string> {
  const found: Finding[] = []
  for (const { name, subscription } of askable(config))
    found.push(await examined(titles[name], subscription, eventsFinding, OF_EVENTS))
  for (const { name, readiness } of judged(config))
    found.push(await examined(titles[name], readiness, readinessFinding, OF_READINESS))
  const said = (...states: Finding['state'][]) =>
    found.filter(({ state }) => states.includes(state)).map(({ text }) => text)
  if (said('failed').length > 0) throw new Error(said('failed', 'doubtful').join(' '))
  if (said('doubtful').length > 0) throw new Warning(said('doubtful').join(' '))
  if (said('fine').length > 0) return said('fine').join('; ')
  return config.payments.length > 0
    ? [...said('absent'), config.payments.join(', ')].join('; ')
    : 'none are offered'
}

async function examined<Answer>(
  title: string,
  ask: () => Promise<Answer | undefined>,
  judge: (title: string, answer: Answer) => Finding,
  { what, advice }: { what: string; advice: string },
): Promise<Finding> {
  try {
    const answer = await ask()
    return answer ? judge(title, answer) : { state: 'absent', text: `no ${title}` }
  } catch (error) {
    const text = `${title} does not say ${what}: ${errorLines(error).join(' ')}${advice}: ${PAGE}.`
    return { state: 'doubtful', text }
  }
}

const OF_EVENTS = {
  what: 'which events it sends',
  advice: ' A restricted key needs to read webhook endpoints. Compare the events by hand',
}
const OF_READINESS = { what: 'if it can be used', advice: ' Look there by hand' }

function eventsFinding(title: string, { url, state, missing }: Subscription): Finding {
  if (state === 'none') return failed(`${title} sends nothing to ${url}. Add this endpoint: ${PAGE}.`)
  if (state === 'disabled')
    return failed(`${title} has switched the endpoint ${url} off. Switch it on there.`)
  if (missing.length > 0)
    return failed(`${title} does not send ${missing.join(', ')} to ${url}. Add these events there: ${PAGE}.`)
  return { state: 'fine', text: `${title} sends all events to ${url}` }
}

const readinessFinding = (title: string, { problems, fine }: Readiness): Finding =>
  problems.length > 0
    ? failed(`${problems.map((problem) => `${title} ${problem}`).join('. ')}: ${PAGE}.`)
    : { state: 'fine', text: `${title} ${fine}` }

const failed = (text: string): Finding => ({ state: 'failed', text })

const titles: Record<ProviderName, string> = {
  test: 'Test',
  bank: 'Bank',
  stripe: 'Stripe',
  mollie: 'Mollie',
}
