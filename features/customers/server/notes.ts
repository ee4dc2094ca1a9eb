import type { App } from '#foundation/server/app.ts'
import { originOf, recordAction } from '#foundation/server/audit/audit.ts'
import { lockByName, transaction, type Tx } from '#foundation/server/database/transaction.ts'
import { HttpError, notFound } from '#foundation/server/http/http-error.ts'
import { handler } from '#foundation/server/http/handler.ts'
import { withIdempotencyKey } from '#foundation/server/idempotency/with-idempotency-key.ts'
import type { Actor } from '#foundation/server/session/session.ts'
import { changedTo } from '#foundation/versions.ts'
import { must } from '#foundation/must.ts'
import * as contract from '#features/customers/contract.ts'
import { MOST_NOTES, NOTE_EDIT_S } from '#features/customers/rules.ts'
import { displayNames } from '#features/profile/server/profile.ts'
import { customerOf } from './customer-of.ts'
import * as queries from './queries.ts'

export const listCustomerNotes = handler(
  contract.listCustomerNotes,
  async ({ app, actor, params: { userId } }) => {
    await customerOf(app.db, userId)
    const rows = await queries.notesOf(app.db, userId, MOST_NOTES)
    return { status: 200, body: { items: await noteReplies(app, app.db, rows, actor) } }
  },
)

export const createCustomerNote = handler(contract.createCustomerNote, (call) => {
  const { app, actor, params, body } = call
  const { userId: user_id } = params
  const work = async (tx: Tx) => {
    await customerOf(tx, user_id)
    // Counting and adding are one step under a lock, or two at once would exceed the limit together.
    await lockByName(tx, `customer_notes ${user_id}`)
    if ((await queries.countNotes(tx, user_id)) >= MOST_NOTES)
      throw new HttpError(409, [{ code: 'too_many_notes' }])
    const { text, pinned = false } = body
    const row = await queries.insertNote(tx, { user_id, author_id: actor.user_id, text, pinned })
    return { status: 201, body: await noteReply(app, tx, must(row), actor) } as const
  }
  return withIdempotencyKey(contract.createCustomerNote, call, work, 'system')
})

/** A note is a statement of its author: only they change its words, and only soon after; anybody may pin it. */
export const updateCustomerNote = handler(contract.updateCustomerNote, ({ app, actor, params, body }) => {
  return transaction(app, 'system', async (tx) => {
    const row = await noteOf(tx, params)
    if (row.version !== body.version) return changedTo(await noteReply(app, tx, row, actor))
    const { text = row.text, pinned = row.pinned } = body
    if (text !== row.text && !mayEdit(row, actor)) throw new HttpError(403, [{ code: 'not_allowed' }])
    const changed = await queries.updateNote(tx, row.id, { text, pinned })
    return { status: 200, body: await noteReply(app, tx, must(changed), actor) } as const
  })
})

export const deleteCustomerNote = handler(contract.deleteCustomerNote, ({ app, actor, caller, params }) => {
  return transaction(app, 'system', async (tx) => {
    const row = await noteOf(tx, params)
    await queries.deleteNote(tx, row.id)
    const detail = { by: actor.user_id, note_id: row.id, author_id: row.author_id, noted_at: row.created_at }
    await recordAction(tx, {
      user_id: params.userId,
      act: 'customer.note_deleted',
      ...originOf(caller),
      detail,
    })
    return { status: 204 } as const
  })
})

async function noteOf(
  tx: Tx,
  { userId, noteId }: { userId: string; noteId: string },
): Promise<queries.NoteRow> {
  const row = await queries.lockNote(tx, userId, noteId)
  if (!row) throw notFound()
  return row
}

const mayEdit = ({ author_id, age_s }: queries.NoteRow, { user_id }: Actor): boolean =>
  author_id === user_id && age_s < NOTE_EDIT_S

async function noteReply(
  app: App,
  db: App['db'],
  row: queries.NoteRow,
  actor: Actor,
): Promise<contract.CustomerNote> {
  return must((await noteReplies(app, db, [row], actor))[0])
}

async function noteReplies(
  app: App,
  db: App['db'],
  rows: readonly queries.NoteRow[],
  actor: Actor,
): Promise<contract.CustomerNote[]> {
  const names = await displayNames(
    app,
    db,
    rows.map(({ author_id }) => author_id),
  )
  return rows.map((row) => ({
    id: row.id,
    text: row.text,
    pinned: row.pinned,
    author: row.author_id === null ? null : names.of(row.author_id),
    created_at: row.created_at.toISOString(),
    may_edit: mayEdit(row, actor),
    version: row.version,
  }))
}
