import { useProfile } from '#features/profile/web/hooks.ts'
import { drafts } from '#foundation/web/drafts.ts'
import { isViewing } from '#foundation/web/viewing.ts'

// The menu of staff is kept from the last time, so that the next page begins with it. Otherwise it would push the user's items down when the answers
// come. It is stored as drafts are: by account, until the sign-out.

const NAME = 'staff-menu'

/** Returns the permissions that the member had last time; undefined if this person was no member of staff here. */
export function keptPermissions(): readonly string[] | undefined {
  const [mark, ...permissions] = isViewing() ? [] : drafts.read(NAME).split(' ')
  return mark === MARK ? permissions : undefined
}

export function keepPermissions(permissions: readonly string[] | undefined): void {
  if (!isViewing()) drafts.write(NAME, permissions ? [MARK, ...permissions].join(' ') : '')
}

const MARK = 'staff'

/** True for staff, and until the profile has come for those who were staff last time. */
export const useIsStaff = (): boolean => useProfile().data?.is_staff ?? keptPermissions() !== undefined
