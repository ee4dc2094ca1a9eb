import type { AnswerStatus } from '#foundation/web/api/answer.ts'
import { toastError } from '#foundation/web/toasts/toasts.ts'
import { m } from '#texts/messages.js'

/** Names the file: several may be on their way (row K-04). Without a network it goes up by itself later. */
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
