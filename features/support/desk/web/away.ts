import type { Absence } from '#features/support/desk/absence-contract.ts'
import { storedSession } from '#foundation/web/api/stored-session.ts'
import { formatDay } from '#foundation/web/i18n/format.ts'
import { m } from '#texts/messages.js'
import { useColleagues } from './hooks.ts'

export type MaybeAway = { name: string; away?: Absence | null | undefined }

/** Returns a colleague's name, and until when they are away. */
export const withAbsence = ({ name, away }: MaybeAway): string =>
  away ? m.desk_away_name({ name, day: dayText(away) }) : name

/** Returns until when a colleague is away, and what they left for others to know; '' for one who is there. */
export const absenceText = ({ name, away }: MaybeAway): string =>
  !away
    ? ''
    : away.note === ''
      ? m.desk_away_told({ name, day: dayText(away) })
      : m.desk_away_noted({ name, day: dayText(away), note: away.note })

export const dayText = ({ until }: Absence): string => formatDay(until)

/** Returns the absence of the one who is signed in; undefined while they are there. */
export function useAbsence() {
  const me = storedSession.user()?.id
  return useColleagues().data?.items.find(({ id }) => id === me)?.away ?? undefined
}
