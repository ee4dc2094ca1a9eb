import type { ApprovableAct } from '#foundation/server/approvals/approvable-act.ts'
import { publishAct } from './publish.ts'

/** A mail to more than a hundred customers needs a second person. */
export const approvable: readonly ApprovableAct[] = [publishAct]
