import { randomUUID } from 'node:crypto'
import type { App } from '#foundation/server/app.ts'
import type { PreviewLine } from '#foundation/server/approvals/requested-act.ts'
import { transaction, type Tx } from '#foundation/server/database/transaction.ts'
import { badRequest } from '#foundation/server/http/http-error.ts'
import type { Sealed } from '#foundation/server/key-change/sealed.ts'
import { seal, sealAnew, unseal } from '#foundation/server/keys.ts'
import { on } from '#foundation/server/events.ts'
import { must } from '#foundation/must.ts'
import { findUser } from '#foundation/server/session/session.ts'
import { userDeactivated, type LeftAddress } from '#features/profile/contract.ts'
import { isIban } from '#features/finance/server/finance.ts'
import { ACCOUNT_KEPT_DAYS, isSepaIban, sepaText } from '#features/payouts/rules.ts'
import * as queries from './account-queries.ts'

/** The bank accounts of payouts: sealed while they are needed, and erased after. */

/** A bank account as a person types it; the IBAN in its plain form. */
export type TypedAccount = { iban: string; holder: string }

/**
 * Throws 400 for what is no IBAN and, where money is in euros and so leaves by SEPA, for an account that SEPA does not reach and a name that
 * its banks cannot read.
 */
function assertAccount({ config: { currency } }: Pick<App, 'config'>, { iban, holder }: TypedAccount): void {
  if (!isIban(iban)) throw badRequest('iban_invalid', 'iban')
  if (currency !== 'EUR') return
  if (!isSepaIban(iban)) throw badRequest('iban_not_sepa', 'iban')
  if (sepaText(holder) === undefined) throw badRequest('holder_not_latin', 'holder')
}

/** Keeps a bank account of a customer, sealed, and returns its id; `address` for a deleted account. Throws as `assertAccount` does. */
export async function keepAccount(
  app: App,
  tx: Tx,
  user_id: string,
  { iban, holder }: TypedAccount,
  address?: LeftAddress,
): Promise<string> {
  assertAccount(app, { iban, holder })
  const id = randomUUID()
  const iban_sealed = seal(app.keys, iban, contextOf(id))
  const address_sealed = address === undefined ? null : sealAddress(app, addressContext(id), address)
  await queries.insertAccount(tx, {
    id,
    user_id,
    iban_sealed,
    holder,
    iban_end: iban.slice(-4),
    address_sealed,
  })
  return id
}

/**
 * Keeps the address of an account that is deleted for the mails about its payouts under way: beside their bank accounts, and at refunds to the
 * source.
 */
export const keepAddress = on(userDeactivated, async (app, tx, { user_id }) => {
  const ids = await queries.accountsUnderWay(tx, user_id)
  const refunds = await queries.refundsUnderWay(tx, user_id)
  if (ids.length + refunds.length === 0) return
  const { email: to, locale } = must(await findUser(tx, user_id))
  for (const id of ids) await queries.setAddress(tx, id, sealAddress(app, addressContext(id), { to, locale }))
  for (const id of refunds)
    await queries.setRefundAddress(tx, id, sealAddress(app, refundContext(id), { to, locale }))
})

/** Returns the address that a deleted account had, if a payout of it still needs one. */
export async function addressKept(app: App, tx: Tx, user_id: string): Promise<LeftAddress | undefined> {
  const found = await queries.keptAddress(tx, user_id)
  return found && leftAddressOf(app, found)
}

const sealAddress = ({ keys }: Pick<App, 'keys'>, context: string, address: LeftAddress): string =>
  seal(keys, JSON.stringify(address), context)

/** Returns the address that the deleted account of a payout had; undefined where the account is not deleted, or once the address is erased. */
export function leftAddressOf(app: Pick<App, 'keys'>, row: queries.WithAddress): LeftAddress | undefined
export function leftAddressOf({ keys }: Pick<App, 'keys'>, row: queries.WithAddress): unknown {
  const { account_id, public_id, address_sealed } = row
  if (address_sealed === null) return undefined
  const context = account_id === null ? refundContext(public_id) : addressContext(account_id)
  const address: unknown = JSON.parse(unseal(keys, address_sealed, context))
  return address
}

type Kept = { account_id: string | null; iban_sealed: string | null; holder: string | null }

/** Returns the account of a payout; null where there is none, or once it is erased. */
export const accountOf = (
  { keys }: Pick<App, 'keys'>,
  { account_id, iban_sealed, holder }: Kept,
): TypedAccount | null =>
  account_id === null || iban_sealed === null || holder === null
    ? null
    : { iban: unseal(keys, iban_sealed, contextOf(account_id)), holder }

/** Returns the line of a preview that shows where money would go, without the number of the account; none once the account is erased. */
export async function accountPreview(app: App, id: string): Promise<PreviewLine[]> {
  const found = await queries.accountWithId(app.db, id)
  if (!found) return []
  const { holder, iban_end: end } = found
  const country = unseal(app.keys, found.iban_sealed, contextOf(id)).slice(0, 2)
  return [{ code: 'bank_account', params: { holder, country, end } }]
}

const contextOf = (id: string) => `payout account ${id}`
const addressContext = (id: string) => `payout address ${id}`
const refundContext = (public_id: string) => `refund address ${public_id}`

export const sealed: Sealed = {
  what: 'bank accounts of payouts',
  async reseal(app, tx, limit) {
    const found = await queries.sealedByOtherKeys(tx, app.keys.boxId, limit)
    for (const { id, iban_sealed, address_sealed } of found)
      await queries.reseal(tx, id, {
        iban_sealed: sealAnew(app.keys, iban_sealed, contextOf(id)),
        address_sealed: address_sealed && sealAnew(app.keys, address_sealed, addressContext(id)),
      })
    if (found.length > 0) return found.length
    const refunds = await queries.refundsSealedByOtherKeys(tx, app.keys.boxId, limit)
    for (const { public_id, address_sealed } of refunds)
      await queries.setRefundAddress(
        tx,
        public_id,
        sealAnew(app.keys, address_sealed, refundContext(public_id)),
      )
    return refunds.length
  },
}

const AT_ONCE = 500

/** Erases the bank accounts, and addresses of deleted accounts, that no payout has needed for 30 days. */
export async function eraseAccounts(app: App): Promise<void> {
  await transaction(app, 'system', (tx) => queries.eraseRefundAddresses(tx, ACCOUNT_KEPT_DAYS))
  let erased: number
  do {
    erased = await transaction(app, 'system', (tx) =>
      queries.eraseOldAccounts(tx, ACCOUNT_KEPT_DAYS, AT_ONCE),
    )
  } while (erased === AT_ONCE)
}
