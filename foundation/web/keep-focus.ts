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
 * Moves the focus to a neighbour when the element that has it is removed or disabled, such as the button of a removed row or the cross of
 * a toast. The browser would leave the focus on the body, where keys do nothing, and the next Tab would begin at the top of the page.
 * Dialogs move the focus by themselves. Returns a function that stops this.
 */
export function keepFocus(): () => void {
  let place = focusPlace()
  const note = (event: FocusEvent) => {
    place = focusPlace()
    rememberVisit(event)
  }
  // A person who presses beside all controls takes the focus away on purpose.
  const putAway = () => {
    if (isFocusLost()) place = undefined
  }
  // A field that lost the focus and could still have it was left on purpose, as by Esc, to use the shortcuts of the page. An element
  // that was removed, hidden or disabled lost the focus against the person's will.
  const left = ({ target }: FocusEvent) =>
    queueMicrotask(() => {
      if (isFocusLost() && place?.element === target && canFocus(place.element)) place = undefined
    })
  const watcher = new MutationObserver((changes) => {
    const lost = place
    if (!lost || !hasLost(lost)) return
    const gap = gapOf(lost.element, changes)
    // A closing dialog and a new page move the focus by themselves, before the timer runs.
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

/** Returns the place from which an element was removed, by its neighbours at that time. */
function gapOf(element: HTMLElement, changes: readonly MutationRecord[]): Gap {
  const taken = changes.findLast(({ removedNodes }) =>
    [...removedNodes].some((node) => node.contains(element)),
  )
  if (!taken) return { after: element }
  const { nextSibling: next, previousSibling: previous, target } = taken
  if (next?.isConnected) return { before: next }
  if (previous?.isConnected) return { after: previous }
  // The element and its neighbours were replaced: the focus goes to the replacement, whose first button is the harmless one.
  return target.firstChild ? { before: target.firstChild } : { after: target }
}
