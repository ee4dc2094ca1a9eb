import { useRouterState } from '@tanstack/react-router'
import ChevronDown from 'lucide-react/icons/chevron-down'
import { Fragment, useId, useState } from 'react'
import { tryToStore } from '#foundation/web/drafts.ts'
import { isWithin, Items, type NavigationItem } from './navigation-list.tsx'

type Props = { name: string; heading: string; items: readonly NavigationItem[] }

/** A list of the navigation under a small heading that folds it. Folded, the heading shows the counts of what it hides. */
export function FoldingSection({ name, heading, items }: Props) {
  const [folded, setFolded] = useState(() => foldedNames().includes(name))
  const path = useRouterState({ select: (state) => state.location.pathname })
  const id = useId()
  const fold = () => {
    tryToStore(KEY, [...foldedNames().filter((one) => one !== name), ...(folded ? [] : [name])].join(' '))
    setFolded(!folded)
  }
  return (
    <div>
      <h3 className="fold">
        <button type="button" aria-expanded={!folded} aria-controls={id} onClick={fold} className={headClass}>
          {heading}
          <ChevronDown size={12} aria-hidden="true" className={folded ? '-rotate-90' : undefined} />
          <span className="ml-auto flex gap-1">
            {folded
              ? items
                  .filter((item) => !isWithin(item, path))
                  .map(({ to, badge }) => <Fragment key={to}>{badge}</Fragment>)
              : null}
          </span>
        </button>
      </h3>
      <Items id={id} items={items} unread={0} folded={folded} />
    </div>
  )
}

const KEY = 'folded_menu'

const foldedNames = (): string[] => (localStorage.getItem(KEY) ?? '').split(' ').filter(Boolean)

const headClass =
  'flex min-h-7 w-full items-center gap-1 rounded-md px-2.5 text-start text-xs text-muted short:min-h-6 hover:bg-hover hover:text-text'
