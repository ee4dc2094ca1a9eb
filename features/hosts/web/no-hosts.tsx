import SearchX from 'lucide-react/icons/search-x'
import type { ReactNode } from 'react'
import { Button } from '#foundation/web/ui/button.tsx'
import { EmptyState } from '#foundation/web/ui/empty-state.tsx'
import { Mark } from '#foundation/web/ui/mark.tsx'
import { m } from '#texts/messages.js'

type Props = {
  /** The button that leads to the first server; undefined where there are some, and none fits. */
  order: ReactNode | undefined
  onShowAll: () => void
}

/** An empty list: how to begin, or that nothing fits the filters. */
export function NoHosts({ order, onShowAll }: Props) {
  if (order !== undefined)
    return (
      <EmptyState
        icon={<Mark />}
        title={m.hosts_none()}
        steps={[m.hosts_step_order(), m.hosts_step_connect()]}
        action={order}
      >
        {m.hosts_none_text()}
      </EmptyState>
    )
  return (
    <EmptyState
      icon={<SearchX size={20} aria-hidden="true" />}
      title={m.hosts_none_found()}
      action={<Button onClick={onShowAll}>{m.hosts_show_all()}</Button>}
    >
      {m.hosts_none_found_text()}
    </EmptyState>
  )
}
