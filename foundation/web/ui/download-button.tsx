import Download from 'lucide-react/icons/download'
import type { AnswerStatus } from '#foundation/web/api/answer.ts'
import { errorText } from '#foundation/web/i18n/error-text.ts'
import { toastError } from '#foundation/web/toasts/toasts.ts'
import { useAct } from '#foundation/web/use-act.ts'
import { Button } from './button.tsx'

type Props = { text: string; small?: boolean; fetching: () => Promise<AnswerStatus> }

/** A button that fetches and saves a file: `fetching` calls `download`. A refusal is shown in a toast. */
export function DownloadButton({ text, small, fetching }: Props) {
  const save = useAct(async () => {
    const answer = await fetching()
    const [error] = answer.errors
    if (error) toastError(() => errorText(error), answer)
  })
  return (
    <Button
      {...(small ? { size: 'small' as const } : {})}
      icon={<Download size={16} aria-hidden="true" />}
      pending={save.pending}
      onClick={save.run}
    >
      {text}
    </Button>
  )
}
