import Frown from 'lucide-react/icons/frown'
import Meh from 'lucide-react/icons/meh'
import Smile from 'lucide-react/icons/smile'
import type { Face } from '#features/support/ratings/rules.ts'
import { m } from '#texts/messages.js'

/** Each face by its picture and its word. */
export const faceParts: Readonly<Record<Face, { icon: typeof Smile; text: () => string; tone: string }>> = {
  good: { icon: Smile, text: m.ratings_good, tone: 'text-success' },
  fair: { icon: Meh, text: m.ratings_fair, tone: 'text-muted' },
  poor: { icon: Frown, text: m.ratings_poor, tone: 'text-danger' },
}

/** A face with its word, as staff and customers read it. */
export function FaceMark({ face }: { face: Face }) {
  const { icon: Icon, text, tone } = faceParts[face]
  return (
    <span className="inline-flex items-center gap-1.5">
      <Icon size={16} aria-hidden="true" className={tone} />
      {text()}
    </span>
  )
}
