import { must } from '#foundation/must.ts'
import { record } from '#foundation/server/account-events/record.ts'
import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { emit } from '#foundation/server/events.ts'
import type { SavedDetails } from '#features/finance/contract.ts'
import { methodChanged } from '#features/methods/contract.ts'
import { methodAdded } from '#features/methods/event-contract.ts'
import { detailsFor, forgetSaved } from './forget.ts'
import { lockMethods } from './locks.ts'
import * as queries from './queries.ts'
import type { MethodRow } from './queries.ts'
import { methodsNamed, referencesOf } from './references.ts'
import { replyNow } from './replies.ts'

/** Writes what a provider has saved: into the method that was begun, or into the one that is the same card or account. */
export async function keepDetails(
  app: App,
  tx: Tx,
  { id, user_id, public_id }: MethodRow,
  saved: SavedDetails,
) {
  await lockMethods(tx, user_id)
  const before = await queries.lockMethod(tx, id)
  if (!before) return
  if (before.state === 'removed') {
    // An event that comes again: what it tells of may be what an older entry of the same card is charged by.
    const named = await methodsNamed(app, tx, before.provider, saved.provider_ref)
    if (named.every(({ state }) => state === 'removed')) await forgetSaved(app, tx, before, saved)
    return
  }
  const others = before.state === 'pending' ? await queries.methodsOf(tx, user_id) : []
  const same = others.find((other) => isSame(app, other, before, saved))
  if (same) return saveAgain(app, tx, { begun: before, kept: same }, saved)
  await queries.setDetails(tx, id, detailsFor(app, public_id, saved))
  if (before.state !== 'pending') return
  if (!others.some(({ is_default }) => is_default)) await queries.setDefault(tx, before)
  record(tx, user_id, methodAdded, (at) => replyNow(at, id))
  await emit(app, tx, methodChanged, { user_id, method_id: id, change: 'saved' })
}

/** True for a method that is the same card or account, saved before. */
const isSame = (
  app: App,
  other: MethodRow,
  { provider }: MethodRow,
  { kind, fingerprint }: SavedDetails,
): boolean =>
  fingerprint !== '' &&
  other.provider === provider &&
  other.kind === kind &&
  referencesOf(app, other)?.fingerprint === fingerprint

/**
 * The same card or account was saved once more: the older entry stays, and what was begun is forgotten at the provider. One that was paused or
 * ends sooner is charged by what was saved now, and what it was before is forgotten.
 */
async function saveAgain(
  app: App,
  tx: Tx,
  { begun, kept }: { begun: MethodRow; kept: MethodRow },
  saved: SavedDetails,
): Promise<void> {
  const { user_id } = kept
  const isAsGood = kept.state === 'active' && kept.expires === saved.expires
  const references = must(referencesOf(app, kept))
  const old = isAsGood ? saved : { ...saved, ...references }
  if (!isAsGood) {
    await queries.setDetails(tx, kept.id, detailsFor(app, kept.public_id, saved))
    await queries.resumeMethod(tx, kept.id)
  }
  await queries.takeMethod(tx, begun.id)
  // A provider that names the same card by the same id would forget both.
  if (references.provider_ref !== saved.provider_ref) await forgetSaved(app, tx, begun, old)
  const all = await queries.methodsOf(tx, user_id)
  if (!all.some(({ is_default }) => is_default)) await queries.setDefault(tx, kept)
  record(tx, user_id, methodAdded, (at) => replyNow(at, kept.id))
  await emit(app, tx, methodChanged, { user_id, method_id: kept.id, change: 'saved' })
}
