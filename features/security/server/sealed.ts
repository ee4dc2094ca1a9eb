import type { Sealed } from '#foundation/server/key-change/sealed.ts'
import { openSecret, resealCode, sealSecret } from './codes.ts'
import * as queries from './sealed-queries.ts'

/**
 * The data that is sealed anew when the key changes: secrets of authenticator apps, and recovery codes, whose digests are made anew
 * as well.
 */
export const sealed: Sealed = {
  what: 'second factors',
  async reseal(app, tx, limit) {
    const totps = await queries.totpsOfOtherKeys(tx, app.keys.boxId, limit)
    for (const { user_id, secret } of totps)
      await queries.setTotpSecret(tx, {
        user_id,
        secret: sealSecret(app, user_id, openSecret(app, user_id, secret)),
      })
    const codes = await queries.codesOfOtherKeys(tx, app.keys.boxId, limit - totps.length)
    for (const { user_id, place, sealed: text } of codes)
      await queries.setRecoveryCode(tx, { user_id, place, ...resealCode(app, user_id, text) })
    return totps.length + codes.length
  },
}
