import Shield from 'lucide-react/icons/shield'
import User from 'lucide-react/icons/user'
import { actedFor } from '#foundation/web/acting.ts'
import { m } from '#texts/messages.js'

type Props = {
  name?: string | null | undefined
  surname?: string | null | undefined
  isStaff?: boolean | undefined
}

/** The avatar of the account that a tab shows: of the signed-in person, or, in amber, of the account that they act for. */
export function OwnAvatar(person: Props) {
  const account = actedFor()
  return account ? (
    <span data-acting className="contents [&>span]:bg-warning-soft [&>span]:text-warning-text">
      <Avatar {...namesOf(account.name)} />
    </span>
  ) : (
    <Avatar {...person} />
  )
}

const namesOf = (whole: string): Props => {
  const [name, ...more] = whole.split(' ')
  return { name, surname: more.at(-1) }
}

/** Shows the initials of name and surname, or an icon without them; a shield marks staff (row R-15). */
function Avatar({ name, surname, isStaff }: Props) {
  const initials = initialsOf(name, surname)
  return (
    <span className="relative inline-flex size-8 shrink-0 items-center justify-center rounded-full bg-accent-soft text-xs font-semibold text-accent-text select-none">
      {initials ? <span aria-hidden="true">{initials}</span> : <User size={16} aria-hidden="true" />}
      {isStaff ? (
        <span
          role="img"
          aria-label={m.shell_staff()}
          title={m.shell_staff()}
          className="absolute -right-1 -bottom-1 flex size-4.5 items-center justify-center rounded-full border-2 border-page bg-accent text-on-accent"
        >
          <Shield size={10} strokeWidth={2.5} aria-hidden="true" />
        </span>
      ) : null}
    </span>
  )
}

function initialsOf(...names: (string | null | undefined)[]): string {
  return names
    .map((name) => [...(name ?? '').trim()][0] ?? '')
    .join('')
    .toLocaleUpperCase()
}
