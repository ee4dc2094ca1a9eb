import { record } from '#foundation/server/account-events/record.ts'
import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { emit, on } from '#foundation/server/events.ts'
import { enqueue } from '#foundation/server/jobs/jobs.ts'
import { userDeactivated } from '#features/profile/contract.ts'
import { methodReported, savedMethodCharged, type MethodEvent } from '#features/finance/contract.ts'
import { methodChanged } from '#features/methods/contract.ts'
import { methodPaused, methodRemoved } from '#features/methods/event-contract.ts'
import type { PauseReason } from '#features/methods/rules.ts'
import { FORGET } from './forget.ts'
import { keepDetails } from './keep-details.ts'
import { lockMethods } from './locks.ts'
import * as queries from './queries.ts'
import type { MethodRow } from './queries.ts'
import { methodsNamed } from './references.ts'
import { replyNow, toMethodReply } from './replies.ts'

export { forgetMethod } from './forget.ts'

/** Takes a method out of use for good, and says why; one that is not active stays as it is. */
export async function stopMethod(app: App, tx: Tx, id: string, reason: PauseReason): Promise<void> {
  const method = await queries.lockMethod(tx, id)
  if (method?.state !== 'active') return
  await queries.pauseMethod(tx, id, reason)
  record(tx, method.user_id, methodPaused, (at) => replyNow(at, id))
  await emit(app, tx, methodChanged, { user_id: method.user_id, method_id: id, change: 'paused' })
}

/** Removes a method: nothing here charges it from the commit on, and a job has its provider forget it. */
export async function removeMethod(app: App, tx: Tx, { id, user_id }: MethodRow): Promise<void> {
  const method = await queries.lockMethod(tx, id)
  if (!method || method.state === 'removed') return
  await queries.takeMethod(tx, id)
  if (method.provider_ref_sealed !== null) enqueue(tx, FORGET, { method: id }, { key: `forget:${id}` })
  if (method.state === 'pending') return
  record(tx, user_id, methodRemoved, toMethodReply(method))
  await emit(app, tx, methodChanged, { user_id, method_id: id, change: 'removed' })
}

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

/** A dispute, a debit that came back, or a decline for good takes the method out of use. */
export const takeChargeEnd = on(savedMethodCharged, async (app, tx, { method_id, kind, stopsMethod }) => {
  if (stopsMethod) await stopMethod(app, tx, method_id, kind === 'charged_back' ? 'disputed' : 'declined')
})

/** The methods of a deleted account go with it, here and at the providers. */
export const removeAll = on(userDeactivated, async (app, tx, { user_id }) => {
  await lockMethods(tx, user_id)
  for (const method of await queries.allMethodsOf(tx, user_id)) await removeMethod(app, tx, method)
})
