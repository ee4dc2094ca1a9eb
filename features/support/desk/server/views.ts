import { originOf, recordAction, type Origin } from '#foundation/server/audit/audit.ts'
import { lockByName, transaction, type Tx } from '#foundation/server/database/transaction.ts'
import { HttpError, notFound } from '#foundation/server/http/http-error.ts'
import { handler } from '#foundation/server/http/handler.ts'
import { withIdempotencyKey } from '#foundation/server/idempotency/with-idempotency-key.ts'
import { publish, publishToStaff } from '#foundation/server/realtime/publish.ts'
import { changedTo } from '#foundation/versions.ts'
import { MOST_VIEWS } from '#features/support/desk/rules.ts'
import * as contract from '#features/support/desk/view-contract.ts'
import * as queries from './view-queries.ts'

export const listViews = handler(contract.listViews, async ({ app, actor }) => {
  const rows = await queries.viewsFor(app.db, actor.user_id)
  return { status: 200, body: { items: rows.map(toView) } }
})

export const createView = handler(contract.createView, (call) => {
  const { actor, caller, body } = call
  return withIdempotencyKey(
    contract.createView,
    call,
    async (tx) => {
      await makeRoom(tx, body.shared, actor.user_id)
      const row = await queries.insertView(tx, { ...body, author_id: actor.user_id })
      await tell(tx, { before: undefined, after: row }, { by: actor.user_id, caller })
      return { status: 201, body: toView(row) } as const
    },
    'system',
  )
})

export const updateView = handler(contract.updateView, ({ app, actor, caller, params, body }) => {
  const { version, name, shared, filter } = body
  return transaction(app, 'system', async (tx) => {
    const before = await queries.lockView(tx, params.ticketViewId, actor.user_id)
    if (!before) throw notFound()
    if (before.version !== version) return changedTo(toView(before))
    const wanted = shared ?? before.shared
    if (wanted !== before.shared) await makeRoom(tx, wanted, actor.user_id)
    const after = await queries.updateView(tx, before.id, {
      name: name ?? before.name,
      shared: wanted,
      filter: filter ?? before.filter,
      author_id: actor.user_id,
    })
    await tell(tx, { before, after }, { by: actor.user_id, caller })
    return { status: 200, body: toView(after) } as const
  })
})

export const deleteView = handler(contract.deleteView, ({ app, actor, caller, params }) => {
  return transaction(app, 'system', async (tx) => {
    const before = await queries.lockView(tx, params.ticketViewId, actor.user_id)
    if (!before) throw notFound()
    await queries.deleteView(tx, before.id)
    await tell(tx, { before, after: undefined }, { by: actor.user_id, caller })
    return { status: 204 } as const
  })
})

/** Refuses one view more than there may be. Counting and adding are one step under a lock, or two at once would exceed the limit together. */
async function makeRoom(tx: Tx, shared: boolean, staff_id: string): Promise<void> {
  await lockByName(tx, 'desk_views')
  if ((await queries.countViews(tx, shared, staff_id)) >= MOST_VIEWS)
    throw new HttpError(409, [{ code: 'too_many_ticket_views' }])
}

type Change = { before: queries.ViewRow | undefined; after: queries.ViewRow | undefined }

/** Tells the open pages of all who see the view, and records a change of what all staff see. */
async function tell(
  tx: Tx,
  { before, after }: Change,
  { by, caller }: { by: string; caller: Origin },
): Promise<void> {
  const view = after ?? before
  if (!view) return
  if (!before?.shared && !after?.shared) return publish(tx, by, { type: contract.VIEWS })
  await publishToStaff(tx, { type: contract.VIEWS })
  await recordAction(tx, {
    user_id: null,
    act: after?.shared ? 'desk.view_saved' : 'desk.view_removed',
    ...originOf(caller),
    detail: { by, view_id: view.id, name: view.name },
  })
}

const toView = ({ id, name, shared, filter, version }: queries.ViewRow): contract.DeskView => ({
  id,
  name,
  shared,
  filter,
  version,
})
