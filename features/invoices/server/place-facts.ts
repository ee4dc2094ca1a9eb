import { payingCountries } from '#features/finance/server/finance.ts'
import type { App } from '#foundation/server/app.ts'
import { lastAddressOf } from '#foundation/server/session/session.ts'
import { countryOfNetwork } from './network-country.ts'
import type { PlaceFacts } from './place-evidence.ts'
import { placeRecordsOf } from './place-queries.ts'

/** Returns what is known of a customer's place at this moment. Only the country of the network's address leaves this function. */
export async function placeFactsOf(db: App['db'], user_id: string): Promise<PlaceFacts> {
  const [payments, address, records] = await Promise.all([
    payingCountries(db, user_id),
    lastAddressOf(db, user_id),
    placeRecordsOf(db, user_id),
  ])
  // Renewals go on when nobody is signed in.
  const network = address === undefined ? (records?.network ?? null) : countryOfNetwork(address)
  return { payments, network, override: records?.override ?? null }
}
