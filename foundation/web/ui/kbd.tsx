import type { ReactNode } from 'react'

/** Shows a key of the keyboard. */
export function Kbd({ children }: { children: ReactNode }) {
  return (
    <kbd className="inline-flex h-6 min-w-6 items-center justify-center rounded border border-line bg-sunken px-1.5 font-mono text-xs text-muted">
      {children}
    </kbd>
  )
}
