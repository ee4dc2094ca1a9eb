/** An element that had the focus, and its ancestors, in which another element gets the focus if the element is gone. */
export type FocusPlace = { element: HTMLElement; around: readonly HTMLElement[] }

/** The place of a removed element in the document: before the node that followed it, or after the node that preceded it. */
export type Gap = { before: Node } | { after: Node }

/** Returns the element with the focus and its ancestors; undefined if only the body has the focus, where keys do nothing. */
export function focusPlace(element: Element | null = document.activeElement): FocusPlace | undefined {
  if (!(element instanceof HTMLElement) || element === document.body) return undefined
  return { element, around: ancestorsOf(element) }
}

export const isFocusLost = (): boolean =>
  document.activeElement === null || document.activeElement === document.body

/**
 * Gives the focus to the element, or else to the nearest element that can have it: the button of a closed menu, the opener of a closed
 * dialog, an element after the gap in the remaining ancestors, the heading of the page.
 */
export function focusNear(place: FocusPlace | undefined, gap?: Gap): void {
  for (const candidate of candidatesOf(place, gap)) {
    candidate.focus({ preventScroll: candidate !== place?.element })
    if (document.activeElement === candidate) return
  }
}

/** Notes the element that opened a dialog; returns a function that gives the focus back once the dialog is closed. */
export function rememberOpener(dialog: HTMLElement): () => void {
  // A dialog that is mounted anew while it is open, as React does in development, has the focus already: its opener stays the first one.
  const opener = dialog.contains(document.activeElement) ? openers.get(dialog) : focusPlace()
  openers.set(dialog, opener)
  return () => {
    // React may still be removing the element that just got the focus, such as the button of a deleted row.
    queueMicrotask(() => isFocusLost() && focusNear(opener))
  }
}

/** Notes the element from which the focus went to the toasts, which lie above the page and open by themselves. */
export function rememberVisit({ target, relatedTarget }: FocusEvent): void {
  const layer = target instanceof Element && target.closest<HTMLElement>('[popover=manual]')
  const from = relatedTarget instanceof HTMLElement ? relatedTarget : null
  if (layer && from && !layer.contains(from)) openers.set(layer, focusPlace(from))
}

const openers = new WeakMap<HTMLElement, FocusPlace | undefined>()

function* candidatesOf(
  place: FocusPlace | undefined,
  gap?: Gap,
  seen = new Set<HTMLElement>(),
): Generator<HTMLElement> {
  if (place) {
    if (canFocus(place.element)) yield place.element
    // The heading of a page that loads is replaced by the heading of the loaded page, so its neighbours are no candidates.
    for (const near of place.element.localName === 'h1' ? [] : place.around) {
      const trigger = near.popover === null ? null : document.querySelector(`[popovertarget="${near.id}"]`)
      if (trigger instanceof HTMLElement) yield trigger
      // Two closed layers may each have been opened from the other.
      if (openers.has(near) && !isOpen(near) && !seen.has(near)) {
        yield* candidatesOf(openers.get(near), undefined, seen.add(near))
        return
      }
      if (near.isConnected && near !== document.body) yield* focusableIn(near, gap)
    }
  }
  const heading = document.querySelector<HTMLElement>('dialog:modal h2, h1')
  if (heading) yield heading
  const content = document.querySelector<HTMLElement>('#content')
  if (content) yield content
}

/** Returns the focusable elements after the gap, then those before it, the nearest first; all in order if the gap is unknown. */
function focusableIn(around: HTMLElement, gap?: Gap): HTMLElement[] {
  const all = [...around.querySelectorAll<HTMLElement>(FOCUSABLE)].filter(canFocus)
  if (!gap) return all
  const isBefore = (element: HTMLElement) =>
    'before' in gap
      ? follows(element, gap.before)
      : follows(element, gap.after) || gap.after.contains(element)
  const before = all.filter(isBefore)
  return [...all.slice(before.length), ...before.toReversed()]
}

/** True if the second node comes after the first in the document. */
const follows = (first: Node, second: Node): boolean =>
  (first.compareDocumentPosition(second) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0

const FOCUSABLE =
  'a[href], button:not([disabled]), input:not([type=hidden], [disabled]), select:not([disabled]), ' +
  'textarea:not([disabled]), summary, [tabindex="0"]'

/** True if the element is in the document, visible and enabled. */
export const canFocus = (element: HTMLElement): boolean =>
  element.isConnected &&
  !element.matches(':disabled') &&
  element.checkVisibility({ visibilityProperty: true })

const isOpen = (layer: HTMLElement): boolean =>
  layer.isConnected && (layer.hasAttribute('open') || layer.matches(':popover-open'))

function ancestorsOf(element: HTMLElement): HTMLElement[] {
  const around: HTMLElement[] = []
  for (let near = element.parentElement; near; near = near.parentElement) around.push(near)
  return around
}
