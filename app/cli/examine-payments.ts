import { stripeSubscription, type StripeSubscription } from '#features/finance/server/finance.ts'
import type { Config } from '#foundation/server/config.ts'
import { errorLines } from '#foundation/server/error-lines.ts'
import { Warning } from './warning.ts'

const PAGE = 'docs/operate/payments.md'

/** Examines if Stripe sends the events that tell of payments: without them money that customers paid never reaches their balance. */
export async function examinePayments(config: Config): Promise<string> {
  const found = await asked(config)
  if (!found)
    return config.payments.length > 0 ? `no Stripe; ${config.payments.join(', ')}` : 'none are offered'
  const { url, state, missing } = found
  if (state === 'none') throw new Error(`Stripe sends nothing to ${url}. Add this endpoint: ${PAGE}.`)
  if (state === 'disabled')
    throw new Error(`Stripe has switched the endpoint ${url} off. Switch it on there.`)
  if (missing.length > 0)
    throw new Error(`Stripe does not send ${missing.join(', ')} to ${url}. Add these events there: ${PAGE}.`)
  return `Stripe sends all events to ${url}`
}

async function asked(config: Config): Promise<StripeSubscription | undefined> {
  try {
    return await stripeSubscription(config)
  } catch (error) {
    throw new Warning(
      `Stripe does not say which events it sends: ${errorLines(error).join(' ')} A restricted key needs to read webhook endpoints. Compare the events by hand: ${PAGE}.`,
    )
  }
}
