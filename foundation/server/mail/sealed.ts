import type { Sealed } from '#foundation/server/key-change/sealed.ts'
import { resealContent } from './outbox.ts'
import { countOfOtherKeys, mailsOfOtherKeys, setContent } from './queries.ts'

/** Mails that were not sent yet, or are kept to be read. */
export const sealedMails: Sealed = {
  what: 'mails',
  count: countOfOtherKeys,
  async reseal(app, tx, limit) {
    const found = await mailsOfOtherKeys(tx, app.keys.boxId, limit)
    for (const { id, content } of found) await setContent(tx, id, resealContent(app, id, content))
    return found.length
  },
}
