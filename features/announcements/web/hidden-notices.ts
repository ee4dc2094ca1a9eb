import type { Notice } from '#features/announcements/contract.ts'
import { tryToStore } from '#foundation/web/drafts.ts'

const KEY = 'hidden_notices'

/** The maximum number of hidden notices that are stored: more than are shown at once. The oldest are dropped, and are over by then. */
const MOST = 50

const nameOf = ({ id, revision }: Notice): string => `${id}:${revision}`

/** True if the reader hid this revision on this device. The next revision is shown again; an unresolved incident is never hidden. */
export const isHidden = (notice: Notice): boolean => mayHide(notice) && hidden().includes(nameOf(notice))

export const mayHide = ({ kind, resolved_at }: Notice): boolean => kind !== 'incident' || resolved_at !== null

export function hide(notice: Notice): void {
  tryToStore(KEY, [...hidden(), nameOf(notice)].slice(-MOST).join(' '))
}

const hidden = (): string[] => (localStorage.getItem(KEY) ?? '').split(' ')
