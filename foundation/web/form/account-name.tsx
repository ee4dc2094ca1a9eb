import { storedSession } from '#foundation/web/api/stored-session.ts'

/** Shows the password manager whose password a form asks for or changes. */
export const AccountName = () => (
  <input
    type="email"
    name="username"
    autoComplete="username"
    defaultValue={storedSession.user()?.email}
    readOnly
    hidden
  />
)
