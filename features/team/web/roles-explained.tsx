import Check from 'lucide-react/icons/check'
import { roleText } from '#features/team/texts.ts'
import { roles, type Role } from '#foundation/roles.ts'
import { m } from '#texts/messages.js'
import { permissionText, roleTexts } from './role-texts.ts'

type Props = { permissions: readonly { name: string; roles: readonly Role[] }[] }

/** Each role with its permissions, which the server reads from the calls that it serves. */
export function RolesExplained({ permissions }: Props) {
  return (
    <section aria-labelledby="roles-explained" className="flex flex-col gap-4">
      <div>
        <h2 id="roles-explained" className="font-semibold">
          {m.team_permissions_title()}
        </h2>
        <p className="mt-1 text-sm text-muted">{m.team_permissions_description()}</p>
      </div>
      <div className="grid gap-4 sm:grid-cols-2 xl:grid-cols-4">
        {roles.map((role) => (
          <div key={role} className="rounded-lg border border-line bg-surface p-5">
            <h3 className="text-sm font-semibold">{roleText(role)}</h3>
            <p className="mt-1 text-sm text-muted">{roleTexts[role]()}</p>
            <ul className="mt-3 flex flex-col gap-1.5 text-sm">
              {permissions
                .filter((permission) => permission.roles.includes(role))
                .map(({ name }) => (
                  <li key={name} className="flex items-start gap-2">
                    <Check size={16} aria-hidden="true" className="mt-0.5 shrink-0 text-success-text" />
                    {permissionText(name)}
                  </li>
                ))}
            </ul>
          </div>
        ))}
      </div>
    </section>
  )
}
