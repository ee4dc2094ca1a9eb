import Ellipsis from 'lucide-react/icons/ellipsis'
import { paths } from '#features/paths.ts'
import { ButtonLink, Link } from '#foundation/web/navigation.tsx'
import { iconButtonClass } from '#foundation/web/ui/icon-button.tsx'
import { Menu, menuItemClass } from '#foundation/web/ui/menu.tsx'
import { m } from '#texts/messages.js'

/** The pages beside the list of tickets that have no place of their own in the menu; a phone has them behind one button. */
export function DeskLinks() {
  const links = [
    { to: paths.help(), text: m.help_title() },
    { to: paths.answerTimes(), text: m.desk_answer_times() },
    { to: paths.supportReport(), text: m.desk_reports() },
  ]
  return (
    <>
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
        </Menu>
      </div>
    </>
  )
}
