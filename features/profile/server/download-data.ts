import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { recordAction } from '#foundation/server/audit/audit.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { handler } from '#foundation/server/http/handler.ts'
import * as contract from '#features/profile/contract.ts'
import { personalFiles, zipOf, type PersonalFile } from './personal-files.ts'

/** Answers with all data stored about the caller. Needs a recent proof, against an intruder at an unlocked screen. */
export const downloadData = handler(contract.downloadData, async ({ app, actor, caller, reply }) => {
  const { user_id } = actor
  const files = await transaction(app, { userId: user_id }, async (tx) => {
    const { ip, user_agent } = caller
    await recordAction(tx, { user_id, act: 'account.data_downloaded', ip, user_agent })
    return personalFiles(app, tx, user_id)
  })
  sendFiles(reply, files)
  return null
})

/** Answers with the files as a ZIP. */
export function sendFiles(reply: FastifyReply, files: readonly PersonalFile[]): void {
  const day = new Date().toISOString().slice(0, 10)
  reply
    .header('content-type', 'application/zip')
    .header('content-disposition', `attachment; filename="my-data-${day}.zip"`)
  void reply.send(Readable.from(zipOf(files)))
}
