import type { App } from '#foundation/server/app.ts'
import { transaction, lockByName, type Tx } from '#foundation/server/database/transaction.ts'
import { emit, on } from '#foundation/server/events.ts'
import { jobKind } from '#foundation/server/jobs/classes.ts'
import { enqueue, job } from '#foundation/server/jobs/jobs.ts'
import { userDeactivated } from '#features/profile/contract.ts'
import { methodReported, savedMethodCharged, type MethodEvent } from '#features/finance/contract.ts'
import { providerCalled } from '#features/finance/server/finance.ts'
import { methodChanged } from '#features/methods/contract.ts'
import type { PauseReason } from '#features/methods/rules.ts'
import * as queries from './queries.ts'
import type { MethodRow } from './queries.ts'
import { methodsNamed, savedMethod, sealReferences } from './references.ts'

const FORGET = jobKind('forget_payment_method', 'money')

/** The methods of one customer change one after the other: two could both become the default one. */
export const lockMethods = (tx: Tx, user_id: string): Promise<void> =>
  lockByName(tx, `payment methods:${user_id}`)

/** Takes a method out of use for good, and says why; one that is not active stays as it is. */
export async function stopMethod(app: App, tx: Tx, id: string, reason: PauseReason): Promise<void> {
  const method = await queries.lockMethod(tx, id)
  if (method?.state !== 'active') return
  await queries.pauseMethod(tx, id, reason)
  await emit(app, tx, methodChanged, { user_id: method.user_id, method_id: id, change: 'paused' })
}

/** Removes a method: nothing here charges it from the commit on, and a job has its provider forget it. */
export async function removeMethod(app: App, tx: Tx, { id, user_id }: MethodRow): Promise<void> {
  const method = await queries.lockMethod(tx, id)
  if (!method || method.state === 'removed') return
  await queries.takeMethod(tx, id)
  if (method.provider_ref_sealed !== null) await enqueue(tx, FORGET, { method: id }, { key: `forget:${id}` })
  if (method.state !== 'pending')
    await emit(app, tx, methodChanged, { user_id, method_id: id, change: 'removed' })
}

/** Has the provider forget a method that is removed. A provider that does not answer throws, and the job is tried again for days. */
export const forgetMethod = job<{ method: string }>(FORGET, async (app, { method: id }) => {
  const row = await queries.methodWithId(app.db, id)
  const saved = row?.state === 'removed' ? savedMethod(app, row) : undefined
  if (!row || !saved) return
  await providerCalled(row.provider).forgetMethod?.(app, saved)
  await transaction(app, 'system', (tx) => queries.forgetReference(tx, id))
})

/** A provider tells of a method. One that was removed meanwhile is forgotten there; one that nobody here has begun is not ours. */
export const takeReport = on(methodReported, async (app, tx, told) => {
  const named = await methodsIn(app, tx, told)
  for (const method of named.filter(({ provider }) => provider === told.provider))
    await (told.kind === 'method_gone'
      ? stopMethod(app, tx, method.id, 'ended')
      : keepDetails(app, tx, method, told.saved))
})

async function methodsIn(app: App, tx: Tx, told: MethodEvent): Promise<MethodRow[]> {
  if (told.kind === 'method_gone') return methodsNamed(app, tx, told.provider, told.provider_ref)
  if (told.method === null) return methodsNamed(app, tx, told.provider, told.saved.provider_ref)
  const named = await queries.methodCalled(tx, told.method)
  return named ? [named] : []
}

type Saved = Extract<MethodEvent, { kind: 'method_saved' }>['saved']

async function keepDetails(app: App, tx: Tx, { id, user_id, public_id }: MethodRow, saved: Saved) {
  await lockMethods(tx, user_id)
  const before = await queries.lockMethod(tx, id)
  if (!before) return
  const { provider_ref, customer_ref, ...details } = saved
  const sealed = sealReferences(app, public_id, { provider_ref, customer_ref })
  if (before.state === 'removed') {
    const nothing = { ...details, brand: '', last4: '', expires: null, mandate_ref: null }
    await queries.setDetails(tx, id, { ...nothing, ...sealed })
    return enqueue(tx, FORGET, { method: id }, { key: `forget:${id}` })
  }
  await queries.setDetails(tx, id, { ...details, ...sealed })
  if (before.state !== 'pending') return
  const others = await queries.methodsOf(tx, user_id)
  if (!others.some(({ is_default }) => is_default)) await queries.setDefault(tx, before)
  await emit(app, tx, methodChanged, { user_id, method_id: id, change: 'saved' })
}

/** A dispute, a debit that came back, or a decline for good takes the method out of use. */
export const takeChargeEnd = on(savedMethodCharged, async (app, tx, { method_id, kind, stopsMethod }) => {
  if (stopsMethod) await stopMethod(app, tx, method_id, kind === 'charged_back' ? 'disputed' : 'declined')
})

/** The methods of a deleted account go with it, here and at the providers. */
export const removeAll = on(userDeactivated, async (app, tx, { user_id }) => {
  await lockMethods(tx, user_id)
  for (const method of await queries.allMethodsOf(tx, user_id)) await removeMethod(app, tx, method)
})
