import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { postMessage } from '#features/support/messages/contract.ts'
import { signedInCustomer } from '#tests/harness/customer.ts'
import { helperOf } from '#tests/harness/grants.ts'
import { refusal } from '#tests/harness/hosts.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { opened } from '#tests/harness/tickets.ts'
import { upload } from '#tests/harness/upload.ts'
import { keptAndExtra } from '#features/support/tickets/server/tickets.ts'

const test = await startTestApp({ settings: { RATE_LIMIT_SCALE: '1000', STORAGE_PER_CUSTOMER: '1 MB' } })
const HALF = new Uint8Array(400_000)

it('O-07 rule 42: files that helpers attach fill the quota of the owner, and not their own', async () => {
  const owner = await signedInCustomer(test)
  const helping = await helperOf(test, owner)
  const { id } = await opened(owner)
  const attach = async () => {
    const file = (await upload(helping.api, HALF)).body
    const body = { client_id: randomUUID(), text: '', attachment_ids: [file.id] }
    return helping.api.call(postMessage, { params: { chatId: id }, body })
  }
  expect([(await attach()).status, (await attach()).status]).toEqual([201, 201])
  expect((await attach()).body).toMatchObject(refusal(413, 'quota_exceeded'))
  expect((await keptAndExtra(test.app.db, owner.user_id)).kept).toBe(800_000)
  // The file whose message was refused still counts for its uploader.
  expect((await keptAndExtra(test.app.db, helping.user_id)).kept).toBe(400_000)
})
