import { useEffect, useRef } from 'react'
import type { ReactNode } from 'react'
import { Link } from '#foundation/web/navigation.tsx'

type Tab = {
  to: string
  label: ReactNode
  /** Marks the current tab also where the address alone does not. */
  current?: boolean
}

/** Views of one thing side by side. Each is a place of its own with an address, so these are links. */
export function Tabs({ label, tabs }: { label: string; tabs: readonly Tab[] }) {
  const list = useRef<HTMLElement>(null)
  // On a phone they may not fit side by side: the present one is always in sight.
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

/** The part of the tab before that stays in sight. */
const PEEK_px = 48
