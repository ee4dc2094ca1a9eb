import { mentionParts } from '#features/support/messages/rules.ts'
import { MarkedText } from '#foundation/web/ui/marked-text.tsx'
import { useColleagues } from './hooks.ts'

/** The text of a note, in which the names of mentioned colleagues stand out. */
export function NoteText({ text }: { text: string }) {
  const { data } = useColleagues()
  const people = data?.items
  return text.includes('@') && people ? (
    <MarkedText text={text} words={(words) => mentionParts(words, people).map(shown)} />
  ) : (
    <MarkedText text={text} />
  )
}

type Part = ReturnType<typeof mentionParts>[number]

const shown = (part: Part, place: number) =>
  typeof part === 'string' ? (
    part
  ) : (
    // A sent text never changes: its parts keep their places.
    // oxlint-disable-next-line react/no-array-index-key
    <span key={place} className="rounded bg-accent-soft text-accent-text">
      {part.said}
    </span>
  )
