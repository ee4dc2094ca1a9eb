import { originOf } from '#foundation/server/audit/audit.ts'
import type { By } from '#foundation/server/approvals/requested-act.ts'
import type { Caller } from '#foundation/server/http/caller.ts'
import type { Actor } from '#foundation/server/session/session.ts'

/** The actor of an action on a customer: a member of staff, or the command line, which can reach the database anyway. */
export type Who =
  | { actor: Actor; origin: By['origin'] }
  | { actor: undefined; origin?: undefined; approved_by?: undefined }

export const memberOf = ({ actor, caller }: { actor: Actor; caller: Caller }): Who => ({
  actor,
  origin: originOf(caller),
})

export const COMMAND_LINE: Who = { actor: undefined }

/** Returns the actor as the audit names it: the id of a member of staff, or 'command line'. */
export const nameOf = ({ actor }: Who): string => actor?.user_id ?? 'command line'
