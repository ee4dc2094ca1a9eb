import { STAFF } from './queries.ts'
import type { Position } from './questions.ts'

/**
 * The position of a reader: in the topic of the person, and for staff in theirs. As text `u12`, or `u12.s345`; a plain `12` is of
 * a stream that a process of the version before sent. Without a number for a topic nothing is known of it: the reader loads anew.
 */
export type Cursor = { own: number | undefined; staff: number | undefined }

export function parseCursor(text: string, { is_staff }: { is_staff: boolean }): Cursor {
  const [, own, staff] = /^u?(\d{1,15})(?:\.s(\d{1,15}))?$/.exec(text) ?? []
  return { own: numberOf(own), staff: is_staff ? numberOf(staff) : undefined }
}

const numberOf = (digits: string | undefined) => (digits === undefined ? undefined : Number(digits))

export const printCursor = ({ own, staff }: Cursor): string =>
  staff === undefined ? `u${own ?? 0}` : `u${own ?? 0}.s${staff}`

/** The topics to read for a reader, in the order of the cursor. */
export function positionsOf(
  { own, staff }: Cursor,
  reader: { user_id: string; is_staff: boolean },
): Position[] {
  const positions = [{ topic: reader.user_id, after: own }]
  if (reader.is_staff) positions.push({ topic: STAFF, after: staff })
  return positions
}
