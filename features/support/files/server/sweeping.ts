import { UNUSED_HOURS } from '#features/support/tickets/rules.ts'
import { readdir, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { must } from '#foundation/must.ts'
import type { App } from '#foundation/server/app.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import * as queries from './file-queries.ts'
import { keyOf, previewKeyOf, publicIdIn } from './stored-names.ts'

const UNUSED_MS = UNUSED_HOURS * 3_600_000
const AT_ONCE = 200

/**
 * Removes the stored bytes of deleted rows. The entry of a leftover is deleted last: after a crash in between, the next run removes the
 * bytes again.
 */
export async function removeLeftovers(app: App): Promise<void> {
  for (;;) {
    const found = await queries.leftovers(app.db, AT_ONCE)
    for (const { public_id, has_preview } of found) {
      await app.storage.remove(keyOf(public_id))
      if (has_preview) await app.storage.remove(previewKeyOf(public_id))
      await transaction(app, 'system', (tx) => queries.forgetLeftover(tx, public_id))
    }
    if (found.length < AT_ONCE) return
  }
}

/** Removes files that are no longer needed: uploads that no message used in time, and leftovers of crashes. */
export async function sweepAttachments(app: App, older_than_ms = UNUSED_MS): Promise<void> {
  await transaction(app, 'system', queries.deleteExpired)
  await removeLeftovers(app)
  await sweepIncoming(app, older_than_ms)
  await sweepUnknown(app, older_than_ms)
}

/** Removes temporary files of uploads that were running when their process died. */
async function sweepIncoming({ storage }: App, older_than_ms: number): Promise<void> {
  for (const name of await readdir(storage.incoming)) {
    const at = path.join(storage.incoming, name)
    const found = await stat(at).catch(() => undefined)
    if (found && isOld(found.mtime, older_than_ms)) await rm(at, { force: true })
  }
}

/** Removes stored files whose row was never committed. Young files stay, because their rows may be about to be committed. */
async function sweepUnknown(app: App, older_than_ms: number): Promise<void> {
  let batch: string[] = []
  const removeUnknown = async () => {
    const known = await queries.known(
      app.db,
      batch.map((key) => must(publicIdIn(key))),
    )
    for (const key of batch) if (!known.has(must(publicIdIn(key)))) await app.storage.remove(key)
    batch = []
  }
  for await (const { key, changed_at } of app.storage.list()) {
    if (!isOld(changed_at, older_than_ms) || publicIdIn(key) === undefined) continue
    batch.push(key)
    if (batch.length === AT_ONCE) await removeUnknown()
  }
  await removeUnknown()
}

const isOld = (changed_at: Date, older_than_ms: number) => Date.now() - changed_at.getTime() >= older_than_ms
