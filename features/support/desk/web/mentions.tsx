import AtSign from 'lucide-react/icons/at-sign'
import { useEffect, useEffectEvent, useRef } from 'react'
import type { Writing } from '#features/support/messages/contract.ts'
import { lazyPart } from '#foundation/web/lazy-page.tsx'
import { useLazyDialog } from '#foundation/web/lazy-dialog.ts'
import { Button } from '#foundation/web/ui/button.tsx'
import { m } from '#texts/messages.js'

const MentionPicker = lazyPart(() => import('./mention-picker.tsx').then((file) => file.MentionPicker))

/** The button, in notes alone, that opens the list of colleagues to mention; `@` at the beginning of a word opens it, too. */
export function Mentions({ writing }: { writing: Writing }) {
  const picker = useLazyDialog(MentionPicker)
  const { onMark, insert, plan } = writing
  const isNote = plan === undefined
  // True if an @ opened the list: without a choice the @ and what followed it were meant as words.
  const marked = useRef(false)
  const opened = useEffectEvent(() => {
    marked.current = true
    picker.show()
  })
  useEffect(() => {
    if (!isNote) return undefined
    // The list is there before the first @, so that it opens within the press, and no letter of a name goes into the note.
    void MentionPicker.preload().catch(() => {})
    return onMark('@', () => opened())
  }, [isNote, onMark])
  if (!isNote) return null
  const leave = (typed: string) => {
    picker.dialog.onClose()
    if (marked.current) insert(`@${typed}`)
    marked.current = false
  }
  const choose = (name: string) => {
    marked.current = false
    picker.dialog.onClose()
    insert(`@${name} `)
  }
  return (
    <>
      <Button
        size="small"
        look="quiet"
        icon={<AtSign size={15} aria-hidden="true" />}
        title={m.desk_mention_hint()}
        {...picker.opener}
      >
        {m.desk_mention()}
      </Button>
      {picker.open ? (
        <MentionPicker open onClose={() => leave('')} onLeave={leave} onChoose={choose} />
      ) : null}
    </>
  )
}
