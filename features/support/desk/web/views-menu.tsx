import ChevronDown from 'lucide-react/icons/chevron-down'
import { paths } from '#features/paths.ts'
import type { DeskView } from '#features/support/desk/view-contract.ts'
import { useGo } from '#foundation/web/navigation.tsx'
import { lazyPart } from '#foundation/web/lazy-page.tsx'
import { useLazyDialog } from '#foundation/web/lazy-dialog.ts'
import { Menu, MenuGroup, MenuItem } from '#foundation/web/ui/menu.tsx'
import { m } from '#texts/messages.js'
import { filterTrigger } from './filter-menu.tsx'
import { queryOf, type DeskFilter } from './filter.ts'
import { useViews } from './view-hooks.ts'

const NewView = lazyPart(() => import('./view-form.tsx').then((file) => file.NewViewDialog))
const KeptViews = lazyPart(() => import('./kept-views.tsx').then((file) => file.KeptViews))

/** The views: those of the whole team and one's own. The filter that is shown can be saved as one. */
export function ViewsMenu({ filter }: { filter: DeskFilter }) {
  const go = useGo()
  const saving = useLazyDialog(NewView)
  const managing = useLazyDialog(KeptViews)
  const views = useViews().data?.items ?? []
  const present = views.find((view) => isShown(view, filter))
  const group = (label: string, of: readonly DeskView[]) =>
    of.length === 0 ? null : (
      <MenuGroup label={label}>
        {of.map((view) => (
          <MenuItem
            key={view.id}
            checked={view === present}
            onSelect={() => void go(paths.desk({ tab: 'all', ...view.filter }))}
          >
            {view.name}
          </MenuItem>
        ))}
      </MenuGroup>
    )
  return (
    <>
      <Menu
        label={present ? m.desk_views_label({ name: present.name }) : m.desk_views()}
        triggerClass={filterTrigger(present !== undefined)}
        trigger={
          <>
            <span className="max-w-48 truncate">{present?.name ?? m.desk_views()}</span>
            <ChevronDown size={14} aria-hidden="true" />
          </>
        }
      >
        {group(
          m.desk_views_shared(),
          views.filter(({ shared }) => shared),
        )}
        {group(
          m.desk_views_own(),
          views.filter(({ shared }) => !shared),
        )}
        <div className="border-t border-line py-1 first:border-t-0">
          {present ? null : <MenuItem onSelect={saving.show}>{m.desk_views_save()}</MenuItem>}
          <MenuItem onSelect={managing.show}>{m.desk_views_manage()}</MenuItem>
        </div>
      </Menu>
      {saving.open ? <NewView filter={queryOf(filter)} {...saving.dialog} /> : null}
      {managing.open ? <KeptViews filter={queryOf(filter)} {...managing.dialog} /> : null}
    </>
  )
}

const NAMES = ['topic', 'priority', 'assignee', 'customer', 'tag', 'late', 'q'] as const

const isShown = ({ filter }: DeskView, shown: DeskFilter): boolean =>
  (filter.tab ?? 'all') === shown.tab && NAMES.every((name) => (filter[name] ?? '') === (shown[name] ?? ''))
