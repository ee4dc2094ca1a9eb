import type { ReactNode } from 'react'
import { Link } from '#foundation/web/navigation.tsx'

/** Views of one thing side by side. Each is a place of its own with an address, so these are links. */
export function Tabs({ label, tabs }: { label: string; tabs: readonly { to: string; label: ReactNode }[] }) {
  return (
    <nav aria-label={label} className="flex gap-1 overflow-x-auto border-b border-line">
      {tabs.map((tab) => (
        <Link
          key={tab.to}
          to={tab.to}
          className="-mb-px border-b-2 border-transparent px-3 py-2 text-sm font-medium whitespace-nowrap text-muted outline-offset-[-2px] hover:text-text aria-[current=page]:border-accent aria-[current=page]:text-text"
        >
          {tab.label}
        </Link>
      ))}
    </nav>
  )
}
