import { displayNames } from '#features/profile/server/profile.ts'
import type { Message, Read } from '#features/support/tickets/contract.ts'
import { must } from '#foundation/must.ts'
import type { App } from '#foundation/server/app.ts'
import type { Actor } from '#foundation/server/session/session.ts'
import { marksOf, translateSeq, type MessageRow, type Redacted } from './message-queries.ts'
import { secretsIn, type Secrets } from './secret-queries.ts'
import type { TicketRow } from './queries.ts'
import { personOf } from './ticket-scope.ts'

type Db = App['db']
type From = Pick<App, 'config' | 'acting'>
type Names = Awaited<ReturnType<typeof displayNames>>

/** The names of some people, read before. */
export type KnownNames = { ids: readonly (string | null)[]; names: Names }

/**
 * Reads the names that a message of this customer shows, before the transaction that writes it: together with what other requests read, and
 * once for the event and the answer.
 */
export async function namesOfAuthor(app: App, actor: Actor): Promise<KnownNames> {
  const ids = [actor.user_id, personOf(app, actor)]
  return { ids, names: await displayNames(app, app.db, ids) }
}

/**
 * Returns messages with the numbers and names that staff, or without `staff` customers, may know. Customers never see an email address of
 * staff.
 */
export async function serializeMessages(
  app: From,
  db: Db,
  rows: readonly MessageRow[],
  { staff, known }: { staff: boolean; known?: KnownNames | undefined },
): Promise<Message[]> {
  const people = rows.flatMap(peopleIn)
  const areKnown = people.every((id) => id === null || known?.ids.includes(id))
  const [names, secrets] = await Promise.all([
    known && areKnown ? known.names : displayNames(app, db, people),
    secretsIn(db, rows),
  ])
  return rows.map((row) => serializeMessage(row, { names, secrets }, { staff }))
}

/** The people whose names a message shows. */
export const peopleIn = ({ author_id, user_id, redacted }: MessageRow): (string | null)[] => [
  author_id,
  user_id,
  redacted?.by ?? null,
]

/** Like `serializeMessages` for one message; `names` must hold all `peopleIn` it. */
export function serializeMessage(
  row: MessageRow,
  { names, secrets }: { names: Names; secrets: Secrets },
  { staff }: { staff: boolean },
): Message {
  const secret = row.secret_id === null ? undefined : secrets.get(row.secret_id)
  return {
    seq: staff ? row.seq : must(row.customer_seq),
    client_id: row.client_id,
    kind: row.kind,
    author:
      row.author_id === null
        ? null
        : {
            ...(row.by_staff && !staff ? names.ofStaff(row.author_id) : names.of(row.author_id)),
            is_staff: row.by_staff,
            ...(staff && isOfHelper(row) && { for: names.of(row.user_id).name }),
          },
    text: row.text,
    ...(row.event === null ? {} : { event: row.event }),
    attachments: row.attachments,
    ...(row.by_mail && { by_mail: true }),
    created_at: row.created_at.toISOString(),
    ...(secret && { secret }),
    ...(row.redacted && { redacted: redactedFor(row.redacted, names, { staff }) }),
    ...(row.moved && { moved: { ...row.moved, number: Number(row.moved.number) } }),
  }
}

const redactedFor = (
  { at, by, by_staff, text, files }: Redacted,
  names: Names,
  { staff }: { staff: boolean },
): NonNullable<Message['redacted']> => ({
  at,
  by: (by_staff && !staff ? names.ofStaff(by) : names.of(by)).name,
  by_staff,
  text,
  files,
})

const isOfHelper = ({ by_staff, author_id, user_id }: MessageRow): boolean =>
  !by_staff && author_id !== null && author_id !== user_id

/** Returns how far each person has read, in the count of the side that asks. Customers never see an email address of staff. */
export async function serializeReads(
  app: From,
  db: Db,
  ticket: TicketRow,
  { staff }: { staff: boolean },
): Promise<Read[]> {
  const marks = await marksOf(db, ticket.id)
  const names = await displayNames(
    app,
    db,
    marks.map(({ user_id }) => user_id),
  )
  const reads = await Promise.all(
    marks.map(async ({ user_id, seq, is_helper }): Promise<Read> => {
      const is_staff = user_id !== ticket.user_id && !is_helper
      const own = is_staff === staff
      const shown = own ? seq : await translateSeq(db, ticket.id, seq, staff ? 'staff' : 'customer')
      const { name } = is_staff && !staff ? names.ofStaff(user_id) : names.of(user_id)
      return { user_id, name, is_staff, seq: shown }
    }),
  )
  return reads
}
