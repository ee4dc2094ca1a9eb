import Ellipsis from 'lucide-react/icons/ellipsis'
import { paths } from '#features/paths.ts'
import { lazyPart } from '#foundation/web/lazy-page.tsx'
import { useLazyDialog } from '#foundation/web/lazy-dialog.ts'
import { ButtonLink, Link } from '#foundation/web/navigation.tsx'
import { Button } from '#foundation/web/ui/button.tsx'
import { iconButtonClass } from '#foundation/web/ui/icon-button.tsx'
import { Menu, MenuItem, menuItemClass } from '#foundation/web/ui/menu.tsx'
import { m } from '#texts/messages.js'
import { dayText, useAbsence } from './away.ts'

const AbsenceDialog = lazyPart(() => import('./absence-dialog.tsx').then((file) => file.AbsenceDialog))

/** One's own absence, and the pages beside the list of tickets that have no place in the menu; a phone has them behind one button. */
export function DeskLinks() {
  const present = useAbsence()
  const absence = useLazyDialog(AbsenceDialog)
  const away = present ? m.desk_away_until_day({ day: dayText(present) }) : m.desk_away()
  const links = [
    { to: paths.help(), text: m.help_title() },
    { to: paths.answerTimes(), text: m.desk_answer_times() },
    { to: paths.supportReport(), text: m.desk_reports() },
  ]
  return (
    <>
      <span className="contents max-sm:hidden">
        <Button {...absence.opener}>{away}</Button>
      </span>
      {links.map(({ to, text }) => (
        <span key={to} className="contents max-sm:hidden">
          <ButtonLink to={to}>{text}</ButtonLink>
        </span>
      ))}
      <div className="sm:hidden">
        <Menu
          align="end"
          label={m.desk_links()}
          triggerClass={iconButtonClass}
          trigger={<Ellipsis size={18} aria-hidden="true" />}
        >
          {links.map(({ to, text }) => (
            <Link key={to} to={to} role="menuitem" tabIndex={-1} className={menuItemClass}>
              {text}
            </Link>
          ))}
          <MenuItem onSelect={absence.show}>{away}</MenuItem>
        </Menu>
      </div>
      {absence.open ? <AbsenceDialog {...absence.dialog} /> : null}
    </>
  )
}
