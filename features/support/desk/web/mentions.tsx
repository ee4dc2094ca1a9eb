import AtSign from 'lucide-react/icons/at-sign'
import { useEffect } from 'react'
import type { Writing } from '#features/support/messages/contract.ts'
import { lazyPart } from '#foundation/web/lazy-page.tsx'
import { Button } from '#foundation/web/ui/button.tsx'
import { m } from '#texts/messages.js'
import { useMarkedPicker } from './use-marked-picker.ts'

const MentionPicker = lazyPart(() => import('./mention-picker.tsx').then((file) => file.MentionPicker))

/** The button, in notes alone, that opens the list of colleagues to mention; `@` at the beginning of a word opens it, too. */
export function Mentions({ writing }: { writing: Writing }) {
  const isNote = writing.plan === undefined
  const { open, opener, leave, choose } = useMarkedPicker('@', MentionPicker, writing, isNote)
  useEffect(() => {
    // The list is there before the first @, so that it opens within the press, and no letter of a name goes into the note.
    if (isNote) void MentionPicker.preload().catch(() => {})
  }, [isNote])
  if (!isNote) return null
  return (
    <>
      <Button
        size="small"
        look="quiet"
        icon={<AtSign size={15} aria-hidden="true" />}
        title={m.desk_mention_hint()}
        {...opener}
      >
        {m.desk_mention()}
      </Button>
      {open ? (
        <MentionPicker
          open
          onClose={() => leave('')}
          onLeave={leave}
          onChoose={(name) => choose(`@${name} `)}
        />
      ) : null}
    </>
  )
}
