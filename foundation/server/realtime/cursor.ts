import { STAFF } from './queries.ts'
import type { Position } from './questions.ts'

/**
 * The position of a reader: the number of the last event in the topic of the person (`own`), and for staff in the topic of all staff. As
 * text it is `u12`, or `u12.s345`. A reader without a number for a topic loads the pages again.
 */
export type Cursor = { own: number | undefined; staff: number | undefined }

export function parseCursor(text: string, { is_staff }: { is_staff: boolean }): Cursor {
  const [, own, staff] = /^u(\d{1,15})(?:\.s(\d{1,15}))?$/.exec(text) ?? []
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
