import { accessFile, findAccess, forgetAccess, keepAccess, keptAccess, originIn } from './access.ts'
import type { Context } from './context.ts'
import { WrongUse } from './failures.ts'
import { textIn } from './json.ts'
import { plainText } from './plain-text.ts'
import { askLine, readSecret } from './typed-secret.ts'

const ownToken = { method: 'GET', path: '/api/tokens/self/' }

/** `login [ADDRESS]`: asks for the token, tries it, and keeps it in a file that nobody else may read. Throws Failure. */
export async function login(context: Context, address: string | undefined): Promise<void> {
  if (address?.startsWith('hdp_'))
    throw new WrongUse(
      'A token is no parameter: everybody on this machine may have read it by now. End it, and make another.',
    )
  const origin = originIn(address ?? (await originOf(context)))
  const token = await readSecret(`Token (${origin}, Settings → API): `)
  if (!/^[\x21-\x7e]{1,200}$/.test(token))
    throw new WrongUse('A token is one word: hdp_ and what follows it.')
  const found = await context.askJson(ownToken, { origin, token, agent: context.agent })
  const [name = '', role = '', ends_at = ''] = ['name', 'role', 'ends_at'].map((field) =>
    textIn(found, field),
  )
  keepAccess(context.environment, { origin, token })
  if (!context.isForPerson())
    return context.write({ origin, name, role, ends_at, file: accessFile(context.environment) })
  context.writeLine(
    `Signed in at ${origin} by the token “${plainText(name)}” (${role}), which ends ${ends_at}.`,
  )
  context.writeLine(`It is kept in ${accessFile(context.environment)}, which you alone may read.`)
}

/** Returns the address of the last sign-in, or asks for one where somebody can answer. */
async function originOf({ environment }: Context): Promise<string> {
  const { HOSTDESK_URL: given } = environment
  const known = given ?? keptAccess(environment)?.origin
  if (known !== undefined) return known
  if (!process.stdin.isTTY)
    throw new WrongUse('Name the address: hostdeskctl login https://account.example.com')
  return askLine('Address of your account area, such as https://account.example.com: ')
}

/** `logout`: forgets the token; with `--end-token` it is of no use to anybody afterwards. Throws Failure. */
export async function logout(context: Context, { endToken }: { endToken?: true }): Promise<void> {
  if (endToken)
    await context.ask({ ...ownToken, method: 'DELETE' }, findAccess(context.environment, context.agent))
  const wasThere = forgetAccess(context.environment)
  if (!context.isForPerson()) return context.write({ forgotten: wasThere, ended: endToken === true })
  const line = wasThere ? 'The token is forgotten here.' : 'Nobody was signed in.'
  context.writeLine(endToken ? `${line} It has ended.` : line)
}
