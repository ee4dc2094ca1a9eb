import Check from 'lucide-react/icons/check'
import { roleText } from '#features/team/texts.ts'
import { roles, type Role } from '#foundation/roles.ts'
import { m } from '#texts/messages.js'
import { permissionText, roleTexts } from './role-texts.ts'

type Props = { permissions: readonly { name: string; roles: readonly Role[] }[] }

/** A matrix of permissions by roles, which the server reads from the calls that it serves. */
export function RolesExplained({ permissions }: Props) {
  return (
    <section aria-labelledby="roles-explained" className="flex flex-col gap-4">
      <div>
        <h2 id="roles-explained" className="font-semibold">
          {m.team_permissions_title()}
        </h2>
        <p className="mt-1 text-sm text-muted">{m.team_permissions_description()}</p>
      </div>
      <div className="relative overflow-x-auto rounded-lg border border-line bg-surface">
        <table className="w-full text-sm">
          <caption className="sr-only">{m.team_permissions_title()}</caption>
          <thead>
            <tr className="border-b border-line-strong align-bottom">
              <th scope="col" className="py-3 pl-3 text-left font-medium sm:pl-5">
                {m.team_right()}
              </th>
              {roles.map((role) => (
                <th
                  key={role}
                  scope="col"
                  title={roleTexts[role]()}
                  className="px-1 py-3 font-medium max-sm:align-bottom max-sm:[writing-mode:vertical-rl] sm:w-28"
                >
                  {roleText(role)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {permissions.map((permission) => (
              <tr key={permission.name} className="border-b border-line last:border-b-0 hover:bg-hover">
                <th scope="row" className="min-w-32 py-2 pl-3 text-left font-normal sm:pl-5">
                  {permissionText(permission.name)}
                </th>
                {roles.map((role) => (
                  <td key={role} className="px-1 text-center">
                    {permission.roles.includes(role) ? (
                      <>
                        <Check size={16} aria-hidden="true" className="inline text-success-text" />
                        <span className="sr-only">{m.team_may()}</span>
                      </>
                    ) : (
                      <span className="text-faint">–</span>
                    )}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}
