import { storedSession } from '#foundation/web/api/stored-session.ts'

/** A hidden field that tells password managers the account whose password the form asks for or changes. */
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
