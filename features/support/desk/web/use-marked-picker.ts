import { useEffectEvent, useLayoutEffect, useRef } from 'react'
import type { Writing } from '#features/support/messages/contract.ts'
import { useLazyDialog, type DialogProps } from '#foundation/web/lazy-dialog.ts'
import type { LazyComponent } from '#foundation/web/lazy-page.tsx'

type Mark = Parameters<Writing['onMark']>[0]

/**
 * A list that opens by a button, or by a mark while somebody writes. `leave` closes it without a choice: a mark that opened it, and what was
 * typed behind it, were meant as words, and go into the text. `choose` puts the chosen words in. With `isHeard` false the mark is a letter.
 */
export function useMarkedPicker<Props extends DialogProps>(
  mark: Mark,
  Picker: LazyComponent<Props>,
  { onMark, insert }: Writing,
  isHeard = true,
) {
  const picker = useLazyDialog(Picker)
  const isMarked = useRef(false)
  const opened = useEffectEvent(() => {
    isMarked.current = true
    picker.show()
  })
  // A layout effect: a mark that is typed as soon as the field is seen is no letter.
  useLayoutEffect(() => (isHeard ? onMark(mark, () => opened()) : undefined), [isHeard, onMark, mark])
  const close = (words: string | undefined) => {
    isMarked.current = false
    picker.dialog.onClose()
    if (words !== undefined) insert(words)
  }
  return {
    open: picker.open,
    opener: picker.opener,
    leave: (typed: string) => close(isMarked.current ? `${mark}${typed}` : undefined),
    choose: (words: string) => close(words),
  }
}
