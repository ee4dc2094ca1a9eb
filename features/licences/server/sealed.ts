import type { Sealed } from '#foundation/server/key-change/sealed.ts'
import { resealKey } from './signing-keys.ts'
import { keysOfOtherKeys, setPrivateKey } from './signing-key-queries.ts'

/** The private half of the key that signs licence documents. */
export const sealed: Sealed = {
  what: 'keys of licence documents',
  async reseal(app, tx, limit) {
    const found = await keysOfOtherKeys(tx, app.keys.boxId, limit)
    for (const key of found) await setPrivateKey(tx, resealKey(app.keys, key))
    return found.length
  },
}
