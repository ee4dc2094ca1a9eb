import { showView } from '#features/customers/web/view.tsx'
import { startActing } from '#features/sharing/web/start-acting.ts'
import { actedFor } from '#foundation/web/acting.ts'

/** Starts the pages of a tab that shows another account: to a helper who acts for it, or to a member of staff. */
export const showOther = (start: () => void): void => (actedFor() ? startActing(start) : showView(start))
