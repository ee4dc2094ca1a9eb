import { useEffect, useRef } from 'react'
import type { ReactNode } from 'react'
import { Link } from '#foundation/web/navigation.tsx'

type Tab = {
  to: string
  label: ReactNode
  /** True marks the tab as the current one, for tabs whose address alone does not. */
  current?: boolean
}

/** Tabs for the views of one thing, side by side. Each view has an address of its own, so the tabs are links. */
export function Tabs({ label, tabs }: { label: string; tabs: readonly Tab[] }) {
  const list = useRef<HTMLElement>(null)
  // On a phone the tabs may not fit side by side, so the current tab is scrolled into sight.
  useEffect(() => {
    const { current } = list
    const present = current?.querySelector<HTMLElement>('[aria-current=page]')
    if (current && present) current.scrollTo({ left: present.offsetLeft - current.offsetLeft - PEEK_px })
  })
  return (
    <nav ref={list} aria-label={label} className="flex gap-1 overflow-x-auto border-b border-line">
      {tabs.map(({ to, label: text, current }) => (
        <Link
          key={to}
          to={to}
          aria-current={current ? 'page' : undefined}
          className="-mb-px border-b-2 border-transparent px-3 py-2 text-sm font-medium whitespace-nowrap text-muted outline-offset-[-2px] hover:text-text aria-[current=page]:border-accent aria-[current=page]:text-text"
        >
          {text}
        </Link>
      ))}
    </nav>
  )
}

/** The width of the previous tab that stays in sight beside the current one. */
const PEEK_px = 48
