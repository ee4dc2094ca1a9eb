import webPush from 'web-push'
import { must } from '#foundation/must.ts'
import type { App } from '#foundation/server/app.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import type { Sealed } from '#foundation/server/key-change/sealed.ts'
import { seal, sealAnew, unseal } from '#foundation/server/keys.ts'
import * as queries from './push-queries.ts'

const CONTEXT = 'push key'

/** The keys by which push services know this installation (RFC 8292). The first start makes them; with others all browsers would have to subscribe anew. */
export async function pushKeys(app: App): Promise<{ publicKey: string; privateKey: string }> {
  const kept = (await queries.keysOfPush(app.db)) ?? (await makeKeys(app))
  return { publicKey: kept.public_key, privateKey: unseal(app.keys, kept.private_sealed, CONTEXT) }
}

const makeKeys = (app: App): Promise<queries.PushKeys> =>
  transaction(app, 'system', async (tx) => {
    const { publicKey: public_key, privateKey } = webPush.generateVAPIDKeys()
    await queries.insertKeys(tx, { public_key, private_sealed: seal(app.keys, privateKey, CONTEXT) })
    return must(await queries.keysOfPush(tx))
  })

/** The private half of the key for push services. */
export const sealed: Sealed = {
  what: 'keys for push services',
  async reseal({ keys }, tx) {
    const kept = await queries.keysOfPush(tx)
    if (!kept || kept.private_sealed.startsWith(`${keys.boxId}.`)) return 0
    await queries.setPrivateKey(tx, sealAnew(keys, kept.private_sealed, CONTEXT))
    return 1
  },
}
