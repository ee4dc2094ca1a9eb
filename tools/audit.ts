// A part of `npm run check`: no production package may have a known vulnerability of moderate or higher severity. Without a
// network, or an answer of the registry, it says so and passes: a check that cannot run offline would not be run at all.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import * as z from 'zod/mini'

const weighty = new Set(['moderate', 'high', 'critical'])

const accepted = z
  .array(z.strictObject({ advisory: z.string(), reason: z.string(), until: z.iso.date() }))
  .parse(JSON.parse(readFileSync(new URL('accepted-advisories.json', import.meta.url), 'utf8')))

const advisory = z.object({ url: z.string(), title: z.string(), severity: z.string() })
const report = z.object({
  vulnerabilities: z.record(z.string(), z.object({ via: z.array(z.union([z.string(), advisory])) })),
})

const { stdout } = spawnSync(
  'npm',
  ['audit', '--omit=dev', '--json', '--fetch-retries=0', '--fetch-timeout=10000'],
  {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  },
)
const read = report.safeParse(parsed(stdout))
if (read.success) judge(read.data)
else
  process.stdout.write(
    'audit: not checked, because the registry told nothing. It is checked where there is a network.\n',
  )

function judge({ vulnerabilities }: z.output<typeof report>): void {
  const today = new Date().toISOString().slice(0, 10)
  const found = Object.entries(vulnerabilities).flatMap(([name, { via }]) =>
    via.flatMap((cause) => (typeof cause === 'string' ? [] : [{ name, ...cause }])),
  )
  const isAccepted = (url: string) =>
    accepted.some(({ advisory: name, until }) => url.endsWith(`/${name}`) && today <= until)
  const open = found.filter(({ severity, url }) => weighty.has(severity) && !isAccepted(url))
  for (const { name, title, severity, url } of open)
    process.stdout.write(`audit: ${name}: ${title} (${severity}) ${url}\n`)
  if (open.length > 0) {
    process.stdout.write(
      'audit: take a newer version, or accept it for a while in tools/accepted-advisories.json, with the reason.\n',
    )
    process.exitCode = 1
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
