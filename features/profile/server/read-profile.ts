import * as z from 'zod/mini'
import type { App } from '#foundation/server/app.ts'
import { HttpError } from '#foundation/server/http/http-error.ts'
import type { Actor } from '#foundation/server/session/session.ts'
import * as contract from '#features/profile/contract.ts'
import { fullName, languageId } from '#features/profile/rules.ts'
import { isByPassword } from './access-review.ts'
import * as queries from './queries.ts'

type Person = Pick<
  Actor,
  | 'user_id'
  | 'email'
  | 'locale'
  | 'time_zone'
  | 'first_page'
  | 'staff_roles'
  | 'access'
  | 'access_message'
  | 'methods'
>

export const readProfile = async (db: App['db'], actor: Person): Promise<contract.Profile> =>
  serializeProfile(await queries.profileOf(db, actor.user_id), actor)

export function serializeProfile(row: queries.ProfileRow | undefined, actor: Person): contract.Profile {
  // The account was deleted after its session was checked.
  if (!row) throw new HttpError(401, [{ code: 'not_authenticated' }])
  const { access_review_since, attention, ...fields } = row
  return {
    ...fields,
    id: actor.user_id,
    email: actor.email,
    display: fullName(row) || actor.email,
    is_staff: actor.staff_roles.length > 0,
    language: languageId(actor.locale),
    time_zone: actor.time_zone ?? '',
    ...(actor.staff_roles.length > 0 && { first_page: actor.first_page }),
    created_at: row.created_at.toISOString(),
    ...(actor.access === 'blocked' && { blocked: { message: actor.access_message } }),
    ...(access_review_since && isByPassword(actor) && { access_review: true as const }),
    ...(attention.length > 0 && { attention: z.parse(z.array(z.enum(contract.matters)), attention) }),
  }
}
