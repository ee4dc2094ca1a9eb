import { minorUnits } from '#foundation/money.ts'
import type { Config } from '#foundation/server/config.ts'
import { toMollie } from './mollie-amounts.ts'
import { MollieRefusal } from './mollie-client.ts'
import { waysOn } from './mollie-ways.ts'
import type { Readiness } from './provider.ts'

/**
 * Asks Mollie which ways to pay are on in the account of the key. Undefined without a key. Mollie has nothing to subscribe to: each payment
 * says where its events go, so the address of this installation must be one that Mollie reaches.
 */
export async function mollieReadiness(config: Config): Promise<Readiness | undefined> {
  if (!config.mollie.apiKey) return undefined
  const problems: string[] = []
  const { protocol, hostname } = new URL(config.publicOrigin)
  if (protocol !== 'https:' || hostname === 'localhost' || hostname.endsWith('.localhost'))
    problems.push(`tells of payments by calls to PUBLIC_ORIGIN, and cannot reach ${config.publicOrigin}`)
  if (config.production && config.mollie.apiKey.reveal().startsWith('test_'))
    problems.push('is set up with a test key: payments cost nothing. Set MOLLIE_API_KEY to the live key')
  try {
    const methods = await enabled(config)
    if (methods.length === 0)
      problems.push(`has no way to pay in ${config.currency} switched on. Switch ways on in its dashboard`)
    return { problems, fine: `offers ${methods.toSorted().join(', ')}` }
  } catch (error) {
    if (!(error instanceof MollieRefusal && error.status === 401)) throw error
    return {
      problems: [...problems, 'does not know MOLLIE_API_KEY. Set it to a key of your account'],
      fine: '',
    }
  }
}

async function enabled(config: Config): Promise<string[]> {
  const amount = toMollie(minorUnits(10, config.currency), config.currency)
  return amount ? waysOn(config, amount) : []
}
