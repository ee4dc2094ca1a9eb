import * as z from 'zod/mini'
import type { Config } from '#foundation/server/config.ts'
import { askMollie } from './mollie-client.ts'
import type { MollieMoney } from './mollie-amounts.ts'

const answer = z.object({ _embedded: z.object({ methods: z.array(z.object({ id: z.string() })) }) })

/** Returns the ways to pay an amount that are on in the account of the key, in Mollie's names; with `first`, those that give a mandate. */
export async function waysOn(config: Config, amount: MollieMoney, first = false): Promise<string[]> {
  const query = new URLSearchParams({
    'amount[currency]': amount.currency,
    'amount[value]': amount.value,
    ...(first && { sequenceType: 'first' }),
  })
  return answer.parse(await askMollie(config, `methods?${query}`))._embedded.methods.map(({ id }) => id)
}

/** The ways that give a mandate for direct debits from the account that paid by them. */
export const givesDebitMandate = new Set(
  'bancontact belfius eps ideal kbc mybank paybybank trustly'.split(' '),
)
