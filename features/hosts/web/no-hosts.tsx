import { paths } from '#features/paths.ts'
import Plus from 'lucide-react/icons/plus'
import SearchX from 'lucide-react/icons/search-x'
import { useGo } from '#foundation/web/navigation.tsx'
import { Button } from '#foundation/web/ui/button.tsx'
import { EmptyState } from '#foundation/web/ui/empty-state.tsx'
import { Mark } from '#foundation/web/ui/mark.tsx'
import { m } from '#texts/messages.js'

type Props = {
  /** True if there is no server at all; false if none fits the filters. */
  isFirstUse: boolean
  onShowAll: () => void
}

/** An empty list: how to begin, or that nothing fits the filters. */
export function NoHosts({ isFirstUse, onShowAll }: Props) {
  const go = useGo()
  if (isFirstUse)
    return (
      <EmptyState
        icon={<Mark />}
        title={m.hosts_none()}
        steps={[m.hosts_step_order(), m.hosts_step_connect()]}
        action={
          <Button
            look="primary"
            icon={<Plus size={16} aria-hidden="true" />}
            onClick={() => void go(paths.hosts({ act: 'order' }), { replace: true, resetScroll: false })}
          >
            {m.licences_order_host()}
          </Button>
        }
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
