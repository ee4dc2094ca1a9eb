import { canonicalEmail } from '#foundation/email-address.ts'
import { isTimeZone } from '#foundation/server/time-zone.ts'
import type { App } from '#foundation/server/app.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { emit } from '#foundation/server/events.ts'
import { HttpError, badRequest, type FieldError } from '#foundation/server/http/http-error.ts'
import { handler } from '#foundation/server/http/handler.ts'
import { publish } from '#foundation/server/realtime/publish.ts'
import { updateUser, lockUser } from '#foundation/server/session/session.ts'
import { changedTo } from '#foundation/versions.ts'
import * as contract from '#features/profile/contract.ts'
import { countryCodes, isVatId, languageById, plainCountry } from '#features/profile/rules.ts'
import { deleteAccount } from './delete-account.ts'
import * as queries from './queries.ts'
import { readProfile, serializeProfile } from './read-profile.ts'

export { createProfile } from './create-profile.ts'
export {
  addressesOf,
  hasUnverifiedAddress,
  holdAddress,
  insertAddress,
  updateProfileFields,
  vatIdsAfter,
  type Address,
} from './queries.ts'
export { eraseAccount } from './erase-account.ts'
export { deleteAccount } from './delete-account.ts'
export { mailExportLink } from './export-link.ts'
export { assertForeign, isOfferedTo, mailToAddress, peopleOf, provenAddresses } from './offers.ts'
export { personalFiles, zipOf, type PersonalFile } from './personal-files.ts'
export { needsProof } from './addresses.ts'
export { accountInUse, accountToSignIn, dropClaim, dropUnusedClaims } from './claims.ts'
export {
  accountsByAddress,
  accountsByVatId,
  accountsIn,
  accountsWithAddress,
  accountsWithVatId,
  findAccountByProvenEmail,
  lockAddress,
  peopleLike,
  peopleLikeButByName,
  peopleNamed,
  peopleWithParts,
  provenAmong,
  streetsWith,
} from './claim-queries.ts'
export { keepVainSignup, renewVainSignup, vainSignupWith } from './vain-queries.ts'
export { moveToAddress } from './move-to-address.ts'
export { lockClaim, proveByStaff } from './prove-by-staff.ts'
export { setAttention } from './attention.ts'
export { askForReview } from './access-review.ts'
export { wantsNews, whoWantsMail } from './mail-preferences.ts'
export { accountsWithNews } from './mail-preference-queries.ts'
export { newsKeyOf, stopBy, stopKeyOf } from './news-key.ts'
export { softLinksBetween } from './links.ts'
export { assertNotOwn, mayBeOne, softLinksWith } from './own-account.ts'
export { countNamesWith } from './name-frequencies.ts'
export {
  accountsInStreet,
  displayNames,
  findPeople,
  firstNameOf,
  firstNamesOf,
  namedAccounts,
} from './names.ts'
export {
  inspectVerificationKey,
  mayMail,
  proveByReset,
  sendVerification,
  verifyAddress,
} from './verification.ts'

/** Words that a password must not resemble: the names and addresses by which others know this person. */
export async function personalData(db: App['db'], user_id: string): Promise<string[]> {
  const row = await queries.profileOf(db, user_id)
  const addresses = await queries.addressesOf(db, user_id)
  const words = [...addresses.map((address) => address.email), row?.name, row?.surname, row?.middle_name]
  return words.filter((word): word is string => Boolean(word))
}

export const getProfile = handler(contract.getProfile, async ({ app, actor }) => {
  return { status: 200, body: await readProfile(app.db, actor) }
})

/** Changes the fields that were sent, and no others. Mails are written in the language of the profile, too. */
export const updateProfile = handler(contract.updateProfile, async ({ app, actor, caller, body }) => {
  const { language, time_zone, first_page, version, ...fields } = body
  if (first_page !== undefined && actor.staff_roles.length === 0)
    throw new HttpError(403, [{ code: 'not_allowed' }])
  if (fields.country !== undefined) fields.country = plainCountry(fields.country)
  const locale = language === undefined ? undefined : languageById(language)
  const refusals: FieldError[] = []
  if (fields.country && !countryCodes.includes(fields.country))
    refusals.push({ code: 'unknown_country', param: 'country' })
  if (language !== undefined && !locale) refusals.push({ code: 'unknown_language', param: 'language' })
  if (time_zone && !isTimeZone(time_zone)) refusals.push({ code: 'unknown_time_zone', param: 'time_zone' })
  if (fields.vat_id && !isVatId(fields.vat_id)) refusals.push({ code: 'invalid_vat_id', param: 'vat_id' })
  if (refusals.length > 0) throw new HttpError(400, refusals)
  if (Object.keys(body).length === 0) return { status: 200, body: await readProfile(app.db, actor) }
  return transaction(app, { userId: actor.user_id }, async (tx) => {
    if (version !== undefined && version !== (await queries.lockVersion(tx, actor.user_id)))
      return changedTo(await readProfile(tx, actor))
    const row = await queries.updateProfileFields(tx, actor.user_id, fields)
    if ((['vat_id', 'country', 'zip', 'city'] as const).some((name) => fields[name] !== undefined))
      await emit(app, tx, contract.taxDataSaved, { user_id: actor.user_id })
    const user = {
      ...(locale && { locale }),
      ...(time_zone !== undefined && { time_zone: time_zone || null }),
      ...(first_page && { first_page }),
    }
    await updateUser(tx, actor.user_id, user)
    await publish(tx, actor.user_id, { type: contract.PROFILE_CHANGED, tab: caller.tab ?? null })
    return { status: 200, body: serializeProfile(row, { ...actor, ...user }) } as const
  })
})

/** Returns the buyer's details for an invoice; undefined once the account is deleted. `db` may be a transaction. */
export const billingDetails = (db: App['db'], user_id: string): Promise<queries.ProfileRow | undefined> =>
  queries.profileOf(db, user_id)

/** Deletes the caller's account. Needs a recent proof, against an intruder at an unlocked screen. */
export const deactivate = handler(contract.deactivate, async ({ app, actor, body, caller }) => {
  if (body.email !== undefined && canonicalEmail(body.email) !== actor.email)
    throw badRequest('email_does_not_match', 'email')
  const { user_id } = actor
  // As the system: the tickets of a member of staff are rows of other accounts, and a call for the account would itself be waited for.
  await transaction(app, 'system', async (tx) => {
    const user = await lockUser(tx, user_id)
    if (!user?.is_active) return
    const { forfeit, payout } = body
    const { ip, user_agent } = caller
    const detail = {
      ...(forfeit ? { forfeit: forfeit.amount } : {}),
      ...(payout ? { paid_out: payout.amount.amount } : {}),
    }
    const audited = { act: 'account.deactivated' as const, ip, user_agent, detail }
    await deleteAccount(app, tx, user, { forfeit, payout, by_staff: false, audited })
  })
  return { status: 204 }
})
