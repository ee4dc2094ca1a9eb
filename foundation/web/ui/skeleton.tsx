import { useEffect, useState } from 'react'
import type { CSSProperties, ReactNode } from 'react'
import { m } from '#texts/messages.js'

/** A grey placeholder of the size of the content that is loading: `<Skeleton className="h-5 w-40" />`. */
export function Skeleton({ className, style }: { className: string; style?: CSSProperties }) {
  return (
    <div
      aria-hidden="true"
      data-coming
      style={style}
      className={`animate-pulse rounded bg-hover motion-reduce:animate-none ${className}`}
    />
  )
}

/** The placeholder of a card whose height is known before its data: in a window of a phone, and in a wider one (px). */
export function CardSkeleton({ phone, wide }: { phone: number; wide: number }) {
  const heights: CSSProperties = Object.fromEntries([
    ['--phone', `${phone}px`],
    ['--wide', `${wide}px`],
  ])
  return <Skeleton className="h-(--phone) rounded-lg sm:h-(--wide)" style={heights} />
}

/** The placeholder of a page's cards, one below the other: the heights of each as `CardSkeleton` takes them. */
export const CardsSkeleton = ({ cards }: { cards: readonly { phone: number; wide: number }[] }) => (
  <div className="flex flex-col gap-6">
    {cards.map((card) => (
      <CardSkeleton key={card.wide} {...card} />
    ))}
  </div>
)

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
