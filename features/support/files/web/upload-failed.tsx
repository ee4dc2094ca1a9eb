import type { AnswerStatus } from '#foundation/web/api/answer.ts'
import { toastError } from '#foundation/web/toasts/toasts.ts'
import { m } from '#texts/messages.js'

/**
 * Shows a toast that names the file, because several may be uploading (row K-04). Without a network there is no toast: the upload starts
 * again by itself.
 */
export function toastUploadFailed(name: string, answer: AnswerStatus): void {
  if (answer.status !== 0) toastError(m.files_upload_failed, answer, <UploadFailed name={name} />)
}

function UploadFailed({ name }: { name: string }) {
  return (
    <>
      <p>{m.files_upload_failed()}</p>
      <p className="mt-0.5 font-medium">
        <bdi>{name}</bdi>
      </p>
    </>
  )
}
