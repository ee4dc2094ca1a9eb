/** An element that had the focus and what was around it: its way back when it is gone. */
type FocusPlace = { element: HTMLElement; around: readonly HTMLElement[] }

/** The focused element; undefined on the body, where no key does anything. */
function focusPlace(element = document.activeElement): FocusPlace | undefined {
  if (!(element instanceof HTMLElement) || element === document.body) return undefined
  return { element, around: ancestorsOf(element) }
}

const isFocusLost = (): boolean => document.activeElement === null || document.activeElement === document.body

/**
 * Gives the focus to the element, or to the nearest thing that can have it: the button of a closed menu, the opener of a
 * closed dialog, what follows in what is left around it, the heading of the page.
 */
function focusNear(place: FocusPlace | undefined, next?: Node | null): void {
  for (const candidate of candidatesOf(place, next)) {
    candidate.focus({ preventScroll: candidate !== place?.element })
    if (document.activeElement === candidate) return
  }
}

/** Notes what opened a dialog; answers how to give the focus back once the dialog is closed. */
export function rememberOpener(dialog: HTMLElement): () => void {
  const opener = focusPlace()
  openers.set(dialog, opener)
  return () => {
    // React may still be taking away what the focus went to: the button of a deleted row.
    queueMicrotask(() => isFocusLost() && focusNear(opener))
  }
}

const openers = new WeakMap<HTMLElement, FocusPlace | undefined>()

function* candidatesOf(place: FocusPlace | undefined, next?: Node | null): Generator<HTMLElement> {
  if (place) {
    if (canFocus(place.element)) yield place.element
    for (const near of place.around) {
      const trigger = near.popover === null ? null : document.querySelector(`[popovertarget="${near.id}"]`)
      if (trigger instanceof HTMLElement) yield trigger
      if (openers.has(near) && !isOpen(near)) {
        yield* candidatesOf(openers.get(near))
        return
      }
      if (near.isConnected && near !== document.body) yield* focusableIn(near, next)
    }
  }
  const heading = document.querySelector<HTMLElement>('dialog:modal h2, h1')
  if (heading) yield heading
  const content = document.querySelector<HTMLElement>('#content')
  if (content) yield content
}

/** Those after `next`, or all where it is unknown; then the last one before it. */
function focusableIn(around: HTMLElement, next?: Node | null): HTMLElement[] {
  const all = [...around.querySelectorAll<HTMLElement>(FOCUSABLE)].filter(canFocus)
  if (!next?.isConnected || !around.contains(next)) return all
  const isBefore = (element: HTMLElement) =>
    (next.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_PRECEDING) !== 0
  const before = all.filter(isBefore)
  return [...all.slice(before.length), ...before.toReversed()]
}

const FOCUSABLE =
  'a[href], button:not([disabled]), input:not([type=hidden], [disabled]), select:not([disabled]), ' +
  'textarea:not([disabled]), summary, [tabindex="0"]'

const canFocus = (element: HTMLElement): boolean =>
  element.isConnected &&
  !element.matches(':disabled') &&
  element.checkVisibility({ visibilityProperty: true })

const isOpen = (dialog: HTMLElement): boolean => dialog.isConnected && dialog.hasAttribute('open')

function ancestorsOf(element: HTMLElement): HTMLElement[] {
  const around: HTMLElement[] = []
  for (let near = element.parentElement; near; near = near.parentElement) around.push(near)
  return around
}
