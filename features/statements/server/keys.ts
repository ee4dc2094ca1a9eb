import { sign, type KeyObject } from 'node:crypto'
import { recordAction } from '#foundation/server/audit/audit.ts'
import type { App } from '#foundation/server/app.ts'
import { lockByName, transaction, type Tx } from '#foundation/server/database/transaction.ts'
import { newKeyPair, privateKeyOf } from '#foundation/server/ed25519.ts'
import type { Sealed } from '#foundation/server/key-change/sealed.ts'
import { sealAnew } from '#foundation/server/keys.ts'
import * as queries from './key-queries.ts'
import { rootMessage } from './message.ts'
import { rootsOf, setRootSignature } from './queries.ts'

/** The key that signs statements, which outlives no rotation, and its name. */
export type Signer = { kid: string; key: KeyObject }

const contextOf = (kid: string) => `statement key ${kid}`

/** Returns the key that signs; the first call in an installation makes it. */
export async function signer(app: App, tx: Tx): Promise<Signer> {
  const { kid, private_key } = (await queries.currentKey(tx)) ?? (await first(app, tx))
  return { kid, key: privateKeyOf(app.keys, private_key, contextOf(kid)) }
}

/** If two processes want the first key at once, one makes it and the other finds it. */
async function first(app: App, tx: Tx): Promise<queries.StatementKey> {
  await lockByName(tx, 'statement key')
  return (await queries.currentKey(tx)) ?? makeKey(app, tx)
}

async function makeKey({ keys }: App, tx: Tx): Promise<queries.StatementKey> {
  const made = newKeyPair(keys, contextOf)
  await queries.insertKey(tx, made)
  return made
}

export const signatureOf = ({ key }: Signer, message: string | Buffer): string =>
  sign(null, typeof message === 'string' ? Buffer.from(message) : message, key).toString('hex')

/** The private half of the key that signs statements. */
export const sealed: Sealed = {
  what: 'keys of statements',
  async reseal({ keys }, tx, limit) {
    const found = await queries.keysOfOtherKeys(tx, keys.boxId, limit)
    for (const { kid, private_key } of found)
      await queries.setPrivateKey(tx, { kid, private_key: sealAnew(keys, private_key, contextOf(kid)) })
    return found.length
  },
}

/** Makes a new key, which signs from now on; all that the old one signed stays genuine. Returns the name of the new key. */
export const rotateKey = (app: App): Promise<string> =>
  transaction(app, 'system', async (tx) => {
    await lockByName(tx, 'statement key')
    await queries.retireKey(tx)
    const { kid } = await makeKey(app, tx)
    await recordAction(tx, { user_id: null, act: 'statement_key.rotated', detail: { kid } })
    return kid
  })

/**
 * Withdraws a stolen key. Only that is genuine of what it signed which is under the root of its month; so the roots that it signed are signed
 * again by another key. Returns false if there is no such key, or if it was withdrawn before.
 */
export const withdrawKey = (app: App, kid: string): Promise<boolean> =>
  transaction(app, 'system', async (tx) => {
    await lockByName(tx, 'statement key')
    if (!(await queries.markWithdrawn(tx, kid))) return false
    const other = await signer(app, tx)
    for (const { month, root } of await rootsOf(tx, kid)) {
      const signature = signatureOf(other, rootMessage({ issuer: app.config.publicOrigin, month, root }))
      await setRootSignature(tx, { month, root, kid: other.kid, signature })
    }
    await recordAction(tx, { user_id: null, act: 'statement_key.withdrawn', detail: { kid } })
    return true
  })
