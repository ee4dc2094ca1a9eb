import { useEffect, useState } from 'react'
import type { ReactNode } from 'react'
import { m } from '#texts/messages.js'

/** A grey placeholder of the size of the content that is loading: `<Skeleton className="h-5 w-40" />`. */
export function Skeleton({ className }: { className: string }) {
  return (
    <div
      aria-hidden="true"
      className={`animate-pulse rounded bg-hover motion-reduce:animate-none ${className}`}
    />
  )
}

/** Shows the skeleton of a layout, but only after 200 ms, so that it does not flicker if the content is there sooner. */
export function Loading({ children }: { children: ReactNode }) {
  const [due, setDue] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setDue(true), DELAY_ms)
    return () => clearTimeout(timer)
  }, [])
  return (
    <div aria-busy="true">
      <span role="status" className="sr-only">
        {due ? m.ui_loading() : ''}
      </span>
      {due ? <div className="contents">{children}</div> : null}
    </div>
  )
}

const DELAY_ms = 200
