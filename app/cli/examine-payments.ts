import { askable, type Subscriber, type Subscription } from '#features/finance/server/finance.ts'
import type { ProviderName } from '#features/finance/rules.ts'
import type { Config } from '#foundation/server/config.ts'
import { errorLines } from '#foundation/server/error-lines.ts'
import { Warning } from './warning.ts'

const PAGE = 'docs/operate/payments.md'

/** Examines if the providers send the events that tell of payments: without them money that customers paid never reaches their balance. */
export async function examinePayments(config: Config): Promise<string> {
  const lines: string[] = []
  for (const { name, subscription } of askable(config)) {
    const found = await asked(titles[name], subscription)
    lines.push(found ? examined(titles[name], found) : `no ${titles[name]}`)
  }
  if (!lines.every((line) => line.startsWith('no '))) return lines.join('; ')
  return config.payments.length > 0 ? [...lines, config.payments.join(', ')].join('; ') : 'none are offered'
}

function examined(title: string, { url, state, missing }: Subscription): string {
  if (state === 'none') throw new Error(`${title} sends nothing to ${url}. Add this endpoint: ${PAGE}.`)
  if (state === 'disabled')
    throw new Error(`${title} has switched the endpoint ${url} off. Switch it on there.`)
  if (missing.length > 0)
    throw new Error(
      `${title} does not send ${missing.join(', ')} to ${url}. Add these events there: ${PAGE}.`,
    )
  return `${title} sends all events to ${url}`
}

const titles: Record<ProviderName, string> = { test: 'Test', bank: 'Bank', stripe: 'Stripe' }

async function asked(
  title: string,
  subscription: Subscriber['subscription'],
): Promise<Subscription | undefined> {
  try {
    return await subscription()
  } catch (error) {
    throw new Warning(
      `${title} does not say which events it sends: ${errorLines(error).join(' ')} A restricted key needs to read webhook endpoints. Compare the events by hand: ${PAGE}.`,
    )
  }
}
