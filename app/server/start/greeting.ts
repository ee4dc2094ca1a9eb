import type { Config } from '#foundation/server/config.ts'

export type DemoLogin = { email: string; password: string; role: string }

/** What a person sees when it runs: where to go, and, after the first start, who to be there. */
export function greeting({
  config,
  port,
  logins,
}: {
  config: Config
  port: number
  logins: DemoLogin[]
}): string {
  if (config.production) return ''
  const origin = config.port === 0 ? `http://localhost:${port}` : config.publicOrigin
  const lines = ['', `  ${config.operator.name} is ready at ${origin}/account/`, '']
  if (logins.length) {
    const width = Math.max(...logins.map(({ email }) => email.length))
    lines.push('  Demo logins, shown this once:')
    for (const { email, password, role } of logins)
      lines.push(`    ${email.padEnd(width)}  ${password}  (${role})`)
    lines.push('')
  }
  if (!config.smtpUrl) lines.push(`  Mails are kept and shown at ${origin}/dev/mail/`, '')
  return `${lines.join('\n')}\n`
}
