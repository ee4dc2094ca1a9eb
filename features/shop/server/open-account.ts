import { accept } from '#features/legal/server/legal.ts'
import { rememberNetwork } from '#features/invoices/server/invoices.ts'
import {
  createProfile,
  holdAddress,
  insertAddress,
  updateProfileFields,
} from '#features/profile/server/profile.ts'
import type { App } from '#foundation/server/app.ts'
import { recordAction } from '#foundation/server/audit/audit.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { createUser } from '#foundation/server/session/session.ts'
import type { PurchaseRow } from './purchase-queries.ts'

type Buyer = Pick<PurchaseRow, 'email' | 'locale' | 'wish'>

/**
 * Makes the account of a purchase, with what was typed in its form. It has no password, and nobody has proven its address: the link in its mail
 * does both. Until then the address is held for it (decision 202).
 */
export async function openAccount(app: App, tx: Tx, { email, locale, wish }: Buyer): Promise<string> {
  const { country, name, surname, company, address, zip, city, origin, terms, network } = wish
  const user_id = await createUser(tx, { email, locale })
  await createProfile(tx, user_id)
  await updateProfileFields(tx, user_id, { country, name, surname, company, address, zip, city })
  await holdAddress(tx, await insertAddress(tx, { user_id, email, is_primary: true, verified: false }))
  await recordAction(tx, { user_id, act: 'account.created', ...origin })
  await accept(app, tx, { user_id, caller: origin, version: terms, context: 'order' })
  if (network !== null) await rememberNetwork(tx, user_id, network)
  return user_id
}
