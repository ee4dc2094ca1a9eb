import { billingDetails } from '#features/profile/server/profile.ts'
import { must } from '#foundation/must.ts'
import type { App } from '#foundation/server/app.ts'
import type { PlaceStatus } from '#features/invoices/contract.ts'
import { percentOf } from '#features/invoices/rules.ts'
import { questionOf } from './place-queries.ts'
import { placeOf } from './place.ts'
import { vatFor } from './vat-of-customer.ts'

/** Returns what the facts say of a customer's place at this moment, with the open question. */
export async function placeStatusOf(app: App, db: App['db'], user_id: string): Promise<PlaceStatus> {
  const [{ rate_bp, evidence }, question] = [await vatFor(app, db, user_id), await questionOf(db, user_id)]
  const { claimed: place, charged, basis, payments, network, decision } = must(evidence.place)
  const { opened_at, answer = '', answered_at = null } = question ?? {}
  const isRefused = decision !== null && !question
  const asked = isRefused ? 'refused' : answer === '' ? 'asked' : 'answered'
  return {
    state: basis === 'doubted' ? asked : 'agreed',
    place,
    payments: [...payments],
    network,
    charged,
    vat_rate: percentOf(rate_bp),
    asked_since: opened_at?.toISOString() ?? null,
    answer,
    answered_at: answered_at?.toISOString() ?? null,
  }
}

/** Returns the code of the place of a customer's address. */
export async function placeNow(app: App, db: App['db'], user_id: string): Promise<string> {
  const { country = '', zip = '', city = '' } = (await billingDetails(db, user_id)) ?? {}
  return placeOf(app.config.company, { country, zip, city, vat_id: '' }).code
}
