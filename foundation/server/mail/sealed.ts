import type { Sealed } from '#foundation/server/key-change/sealed.ts'
import { resealContent } from './outbox.ts'
import { mailsOfOtherKeys, setContent } from './queries.ts'

/** Mails that still have a content: those not sent yet, given up, or kept to be read at /dev/mail/. */
export const sealedMails: Sealed = {
  what: 'mails',
  async reseal(app, tx, limit) {
    const found = await mailsOfOtherKeys(tx, app.keys.boxId, limit)
    for (const { id, content } of found) await setContent(tx, id, resealContent(app, id, content))
    return found.length
  },
}
