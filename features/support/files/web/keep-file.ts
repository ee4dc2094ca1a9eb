import { getAttachment } from '#features/support/files/contract.ts'
import type { Attachment } from '#features/support/tickets/contract.ts'
import { download } from '#foundation/web/api/download.ts'
import { toastError } from '#foundation/web/toasts/toasts.ts'
import { m } from '#texts/messages.js'

/** Saves a file of a message under its name; a toast shows a failure. */
export async function keepFile({ id, name }: Attachment): Promise<void> {
  const answer = await download(getAttachment, { params: { attachmentId: id } }, name)
  if (answer.status !== 200) toastError(m.files_download_failed, answer)
}
