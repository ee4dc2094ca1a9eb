import { useId, useRef, useState } from 'react'
import type { KeyboardEvent, ReactNode } from 'react'
import { classNames } from './class-names.ts'

type Props = {
  /** The content of the menu's button. If it is only an icon, `label` is the name of the button. */
  trigger: ReactNode
  label?: string
  triggerClass?: string
  side?: 'top' | 'bottom'
  align?: 'start' | 'end'
  children: ReactNode
}

/**
 * A menu on the browser's popover, which closes on Esc and on a click beside it and lies in the top layer; CSS anchors place it. A
 * library would cost 20 kB for the same. The content is rendered when the menu first opens, because most menus are never opened.
 */
export function Menu({ trigger, label, triggerClass, side = 'bottom', align = 'start', children }: Props) {
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  const panel = useRef<HTMLDivElement>(null)
  const [opened, setOpened] = useState(false)
  const anchor = `--menu-${id.replaceAll(/[^\w-]/gu, '')}`
  return (
    <>
      <button
        ref={button}
        type="button"
        aria-haspopup="menu"
        aria-label={label}
        popoverTarget={id}
        className={triggerClass}
        style={{ anchorName: anchor }}
      >
        {trigger}
      </button>
      {/* The keys act on the items inside, which are the focusable ones. */}
      <div
        ref={panel}
        id={id}
        popover="auto"
        role="menu"
        tabIndex={-1}
        style={{ positionAnchor: anchor }}
        onBeforeToggle={(event) => event.newState === 'open' && setOpened(true)}
        onKeyDown={(event) => moveFocus(event, panel.current)}
        onToggle={(event) => event.newState === 'open' && focusFirst(panel.current)}
        onClick={(event) => closesMenu(event.target) && panel.current?.hidePopover()}
        className={classNames(
          'menu-panel min-w-56 rounded-lg border border-line bg-raised p-1 text-sm text-text shadow-menu',
          side === 'top' ? 'menu-top' : 'menu-bottom',
          align === 'end' ? 'menu-end' : 'menu-start',
        )}
      >
        {opened ? children : null}
      </div>
    </>
  )
}

type ItemProps = {
  icon?: ReactNode
  onSelect: () => void
  checked?: boolean
  /** Several items may be checked, and the menu stays open. */
  isOneOfSeveral?: boolean
  tone?: 'normal' | 'danger'
  children: ReactNode
}

/** An item of a menu: an action, or, with `checked`, a choice. */
export function MenuItem({ icon, onSelect, checked, isOneOfSeveral, tone = 'normal', children }: ItemProps) {
  const choice = isOneOfSeveral ? 'menuitemcheckbox' : 'menuitemradio'
  return (
    <button
      type="button"
      role={checked === undefined ? 'menuitem' : choice}
      aria-checked={checked}
      tabIndex={-1}
      onClick={onSelect}
      className={classNames(menuItemClass, tone === 'danger' && 'text-danger-text')}
    >
      {icon}
      <span className="min-w-0 flex-1 truncate">{children}</span>
      {checked ? <span aria-hidden="true">✓</span> : null}
    </button>
  )
}

/** A group of items with a heading. */
export function MenuGroup({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div role="group" aria-label={label} className="border-t border-line py-1 first:border-t-0">
      <div aria-hidden="true" className="px-2 pt-1 pb-1 text-xs text-muted">
        {label}
      </div>
      {children}
    </div>
  )
}

/** The CSS classes of links inside a menu, which also need `role="menuitem"` and `tabIndex={-1}`. */
export const menuItemClass =
  'flex h-9 w-full cursor-pointer items-center gap-2.5 rounded-md px-2 text-left outline-offset-[-2px] ' +
  'hover:bg-hover focus-visible:bg-hover'

const itemsOf = (panel: HTMLElement | null): HTMLElement[] =>
  [...(panel?.querySelectorAll<HTMLElement>('[role^=menuitem]') ?? [])].filter((item) =>
    item.checkVisibility(),
  )

/** Focuses the first item. The browser says late that a menu is open: who has chosen an item by then keeps it. */
function focusFirst(panel: HTMLElement | null): void {
  if (!panel?.contains(document.activeElement)) itemsOf(panel)[0]?.focus()
}

const closesMenu = (target: EventTarget): boolean =>
  target instanceof Element && target.closest('[role^=menuitem]:not([role=menuitemcheckbox])') !== null

/** Moves the focus by arrows, Home, End and first letters (WAI-ARIA menu pattern). Tab closes the menu. */
function moveFocus(event: KeyboardEvent, panel: HTMLElement | null): void {
  const items = itemsOf(panel)
  const present = items.findIndex((item) => item === document.activeElement)
  const target = targetOf(event.key, present, items)
  if (event.key === 'Tab') panel?.hidePopover()
  if (target === undefined) return
  event.preventDefault()
  target.focus()
}

function targetOf(key: string, present: number, items: HTMLElement[]): HTMLElement | undefined {
  if (key === 'ArrowDown') return items[(present + 1) % items.length]
  if (key === 'ArrowUp') return items.at(present - 1)
  if (key === 'Home') return items[0]
  if (key === 'End') return items.at(-1)
  if (key.length !== 1 || key === ' ') return undefined
  const after = [...items.slice(present + 1), ...items.slice(0, present + 1)]
  return after.find((item) => item.textContent.trim().toLowerCase().startsWith(key.toLowerCase()))
}
