import { useEffect, useState } from 'react'
import type { ReactNode } from 'react'
import { m } from '#texts/messages.js'

/** A grey placeholder of the size of the content that is loading: `<Skeleton className="h-5 w-40" />`. */
export function Skeleton({ className }: { className: string }) {
  return (
    <div
      aria-hidden="true"
      data-coming
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
    <div aria-busy="true" data-coming>
      <span role="status" className="sr-only">
        {due ? m.ui_loading() : ''}
      </span>
      {due ? <div className="contents">{children}</div> : null}
    </div>
  )
}

/**
 * The place of a part that comes later and shows nothing until then. Like `Loading` it keeps what lies below it out of sight, so that nothing
 * that is seen moves (base.css), unless `of`, the query that it waits for, has failed.
 */
export const Coming = ({ of: query }: { of?: { error: unknown } }) =>
  query?.error ? null : <span hidden data-coming />

const DELAY_ms = 200
