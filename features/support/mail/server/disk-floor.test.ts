import { expect, it } from 'vitest'
import { exitCodeOf } from '#app/cli/exit-codes.ts'
import { exitCodes } from '#foundation/exit-codes.ts'
import type { App } from '#foundation/server/app.ts'
import { signedInCustomer } from '#tests/harness/customer.ts'
import { asOwner } from '#tests/harness/hosts.ts'
import { mailInSettings, rawMail } from '#tests/harness/mail-in.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { keepFiles } from './mail-files.ts'
import { receive } from './receive.ts'

const test = await startTestApp({ settings: mailInSettings })
// `/proc` is on a disk without any room.
const storage = { ...test.app.storage, incoming: '/proc' }
const full: App = { ...test.app, storage }

// Seen red: mails were taken until the disk was full, and the database with it.
it('rule 42: on a disk that is nearly full no mail is stored, so that its server keeps it and tries later', async () => {
  const error = await receive(full, { bytes: rawMail({}), way: 'pipe' }).catch((thrown: unknown) => thrown)
  expect(error).toMatchObject({ status: 503 })
  expect(exitCodeOf(error)).toBe(exitCodes.tryLater)
  expect(await asOwner(test, 'select from received_mails')).toEqual([])
  const { user_id } = await signedInCustomer(test)
  const files = [{ name: 'a.txt', bytes: Buffer.from('a') }]
  await expect(keepFiles(full, user_id, files)).rejects.toMatchObject({ status: 503 })
})
