import Download from 'lucide-react/icons/download'
import { useState } from 'react'
import type { AnswerStatus } from '#foundation/web/api/answer.ts'
import { errorText } from '#foundation/web/i18n/error-text.ts'
import { toastError } from '#foundation/web/toasts/toasts.ts'
import { Button } from './button.tsx'

type Props = { text: string; small?: boolean; fetching: () => Promise<AnswerStatus> }

/** A button that fetches and saves a file: `fetching` calls `download`. A refusal is shown in a toast. */
export function DownloadButton({ text, small, fetching }: Props) {
  const [pending, setPending] = useState(false)
  const save = async () => {
    setPending(true)
    const answer = await fetching()
    setPending(false)
    const [error] = answer.errors
    if (error) toastError(() => errorText(error), answer)
  }
  return (
    <Button
      {...(small ? { size: 'small' as const } : {})}
      icon={<Download size={16} aria-hidden="true" />}
      pending={pending}
      onClick={() => void save()}
    >
      {text}
    </Button>
  )
}
