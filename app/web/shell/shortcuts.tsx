import { useEffect } from 'react'
import { onSwitchRequested } from '#features/sharing/web/switch-request.ts'
import { lazyPart } from '#foundation/web/lazy-page.tsx'
import { useLazyDialog } from '#foundation/web/lazy-dialog.ts'
import { useHotkeys } from '#foundation/web/hotkeys.ts'
import { useGo } from '#foundation/web/navigation.tsx'
import { whenIdle } from '#foundation/web/when-idle.ts'
import { usePageEntries } from './palette-entries.ts'
import { usePaletteRequested } from './palette-key.ts'
import { useIsStaff } from './staff-menu.ts'

const ShortcutList = lazyPart(() => import('./shortcut-list.tsx').then((file) => file.ShortcutList))
const Palette = lazyPart(() => import('./palette.tsx').then((file) => file.Palette))

const AccountSwitcher = lazyPart(() =>
  import('#features/sharing/web/account-switcher.tsx').then((file) => file.AccountSwitcher),
)

/** Ctrl+K or ⌘K opens the palette, sequences such as `g s` open pages, `j` and `k` walk through rows, `?` lists the shortcuts. */
export function Shortcuts() {
  const go = useGo()
  const list = useLazyDialog(ShortcutList)
  const palette = useLazyDialog(Palette)
  const switcher = useLazyDialog(AccountSwitcher)
  const isStaff = useIsStaff()
  const pages = usePageEntries()
  const { show } = switcher
  useEffect(() => onSwitchRequested(show))
  // The first opening of the palette would else wait for its file.
  useEffect(() => whenIdle(() => void Palette.preload().catch(() => {})), [])
  useHotkeys({
    '?': list.show,
    j: () => goToRow(1),
    k: () => goToRow(-1),
    ...(isStaff ? {} : { 'g a': switcher.show }),
    ...Object.fromEntries(pages.flatMap(({ keys, to }) => (keys ? [[keys, () => void go(to)]] : []))),
  })
  usePaletteRequested({
    byButton: palette.show,
    byKey: () => {
      if (palette.open) palette.dialog.onClose()
      // An open dialog must be closed first.
      else if (!document.querySelector('dialog[open]')) palette.show()
    },
  })
  return (
    <>
      {list.open ? <ShortcutList {...list.dialog} /> : null}
      {switcher.open ? <AccountSwitcher {...switcher.dialog} /> : null}
      {palette.open ? <Palette {...palette.dialog} onKeys={list.show} /> : null}
    </>
  )
}

/** Moves the focus to the next or the previous link with `data-row` in a list. Enter then opens it, as any link. */
function goToRow(step: 1 | -1): void {
  const links = [...document.querySelectorAll<HTMLElement>('#content [data-row]')]
  const present = links.findIndex((link) => link === document.activeElement)
  const next = present === -1 ? rowToBeginAt(links, step) : links[Math.max(0, present + step)]
  next?.focus()
}

/**
 * Returns the row beside the part that has the focus, such as a button in another row; where that is out of view, as the heading is after
 * the way back to a scrolled list, the first row in view.
 */
function rowToBeginAt(links: readonly HTMLElement[], step: 1 | -1): HTMLElement | undefined {
  const focused = document.activeElement
  const isAt = (place: number) => (link: HTMLElement) =>
    focused !== null && (focused.compareDocumentPosition(link) & place) !== 0
  const isBeside = focused !== null && focused.closest('#content') !== null && isInView(focused)
  const beside =
    step === 1
      ? links.find(isAt(Node.DOCUMENT_POSITION_FOLLOWING))
      : links.findLast(isAt(Node.DOCUMENT_POSITION_PRECEDING))
  return (isBeside ? beside : undefined) ?? links.find(isInView) ?? links[0]
}

function isInView(element: Element): boolean {
  const { top, bottom } = element.getBoundingClientRect()
  return top >= 0 && bottom <= window.innerHeight
}
