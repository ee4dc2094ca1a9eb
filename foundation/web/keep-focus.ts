import {
  canFocus,
  focusNear,
  focusPlace,
  isFocusLost,
  rememberVisit,
  type FocusPlace,
  type Gap,
} from './focus.ts'

/**
 * Passes the focus on when the element that has it goes without a dialog: the button of a row that was removed, the cross of a notice, a
 * button that can no longer be pressed. The browser would leave the focus on the body, where no key does anything, and the next Tab would
 * begin at the top of the page. Returns how to stop.
 */
export function keepFocus(): () => void {
  let place = focusPlace()
  const note = (event: FocusEvent) => {
    place = focusPlace()
    rememberVisit(event)
  }
  // A press beside all controls takes the focus away on purpose.
  const putAway = () => {
    if (isFocusLost()) place = undefined
  }
  // Esc in a field leaves it on purpose: the field can still have the focus, and the keys of the page are wanted. An element
  // that was removed, hidden or disabled lost it against the user's will.
  const left = ({ target }: FocusEvent) =>
    queueMicrotask(() => {
      if (isFocusLost() && place?.element === target && canFocus(place.element)) place = undefined
    })
  const watcher = new MutationObserver((changes) => {
    const lost = place
    if (!lost || !hasLost(lost)) return
    const gap = gapOf(lost.element, changes)
    // A dialog that closes and a page that comes give the focus where it belongs by themselves, in the same turn.
    setTimeout(() => {
      if (place === lost && hasLost(lost)) focusNear(lost, gap)
    })
  })
  document.addEventListener('focusin', note)
  document.addEventListener('focusout', left)
  document.addEventListener('pointerup', putAway)
  watcher.observe(document.body, {
    childList: true,
    subtree: true,
    attributes: true,
    attributeFilter: ['disabled'],
  })
  return () => {
    watcher.disconnect()
    document.removeEventListener('focusin', note)
    document.removeEventListener('focusout', left)
    document.removeEventListener('pointerup', putAway)
  }
}

/** True if the element has lost the focus. Browsers take the focus from a disabled button only when they paint next. */
const hasLost = ({ element }: FocusPlace): boolean =>
  isFocusLost() || (document.activeElement === element && element.matches(':disabled'))

/** The place from which an element was removed, by its neighbours at that time. */
function gapOf(element: HTMLElement, changes: readonly MutationRecord[]): Gap {
  const taken = changes.findLast(({ removedNodes }) =>
    [...removedNodes].some((node) => node.contains(element)),
  )
  if (!taken) return { after: element }
  const { nextSibling: next, previousSibling: previous, target } = taken
  if (next?.isConnected) return { before: next }
  if (previous?.isConnected) return { after: previous }
  // The replacement, from its first element on: a question begins with the answer that changes nothing.
  return target.firstChild ? { before: target.firstChild } : { after: target }
}
