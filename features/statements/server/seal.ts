import { statementIssued } from '#features/statements/event-contract.ts'
import { record } from '#foundation/server/account-events/record.ts'
import type { App } from '#foundation/server/app.ts'
import { lockByName, transaction } from '#foundation/server/database/transaction.ts'
import { must } from '#foundation/must.ts'
import { signatureOf, signer } from './keys.ts'
import { rootMessage, statementMessage } from './message.ts'
import * as queries from './queries.ts'
import { toReply } from './reply.ts'
import { treeOf } from './tree.ts'

const AT_ONCE = 500

/** Signs all statements of a month and its root, in one transaction, so that none is out before all are: a run that was killed left nothing. */
export const sealMonth = (app: App, month: string): Promise<void> =>
  transaction(app, 'system', async (tx) => {
    await lockByName(tx, 'statements of a month')
    if ((await queries.newestMonth(tx))?.root !== null) return
    const key = await signer(app, tx)
    const leaves = await queries.hashesOf(tx, month)
    const { root, proofs } = treeOf(leaves.map(({ hash }) => hash))
    const proofOf = new Map(leaves.map(({ id }, place) => [id, must(proofs[place])]))
    for (let from = 0; from < leaves.length; from += AT_ONCE) {
      const ids = leaves.slice(from, from + AT_ONCE).map(({ id }) => id)
      const rows = await queries.statementsById(tx, ids)
      const seals = rows.map(({ id, body }) => {
        const proof = must(proofOf.get(id))
        return {
          id,
          proof: proof.join(' '),
          signature: signatureOf(key, statementMessage({ proof, root, body })),
        }
      })
      await queries.sealStatements(tx, key.kid, seals)
      for (const row of rows) record(tx, row.user_id, statementIssued, toReply(row))
    }
    const signature = signatureOf(key, rootMessage({ issuer: app.config.publicOrigin, month, root }))
    await queries.setRootSignature(tx, { month, root, kid: key.kid, signature })
  })
