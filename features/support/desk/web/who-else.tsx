import Eye from 'lucide-react/icons/eye'
import PencilLine from 'lucide-react/icons/pencil-line'
import { Badge } from '#foundation/web/ui/badge.tsx'
import { m } from '#texts/messages.js'
import { usePresence } from './use-presence.ts'

/** Colleagues who view the same ticket just now, and which of them are typing, so that two do not answer it at once. */
export function WhoElse({ chat_id }: { chat_id: string }) {
  const people = usePresence(chat_id)
  return (
    <div role="status" className="flex flex-wrap items-center gap-1 empty:sr-only">
      {people.map(({ id, name, writing }) => (
        <Badge key={id} tone={writing ? 'warning' : 'accent'}>
          {writing ? <PencilLine size={13} aria-hidden="true" /> : <Eye size={13} aria-hidden="true" />}
          <span>{writing ? m.desk_writing({ name }) : m.desk_looking({ name })}</span>
        </Badge>
      ))}
    </div>
  )
}
