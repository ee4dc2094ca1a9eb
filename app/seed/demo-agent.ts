import { createHmac } from 'node:crypto'
import { INTERVAL_S } from '#features/hosts/rules.ts'
import { findByAgentToken, recordCheckIn } from '#features/hosts/server/hosts.ts'
import { AGENT_TOKEN_PREFIX } from '#foundation/server/agents.ts'
import type { App } from '#foundation/server/app.ts'
import { jobKind } from '#foundation/server/jobs/classes.ts'
import { cronJob } from '#foundation/server/jobs/jobs.ts'
import { connected } from './anna-year.ts'
import { metricsAt } from './metrics.ts'

/**
 * The agent of the example server, so that people who try the product see a server that is online. There is no such machine, so the
 * agent is a job: it checks in as a real agent does, with its own token, and reports invented figures. After its token was renewed or
 * its server deleted it is refused, as any agent, and the page shows a silent server. It runs only in installations with demo data,
 * and so never in production.
 */
export const demoAgent = cronJob(jobKind('demo_agent', 'rest'), INTERVAL_S, async (app) => {
  const agent = await findByAgentToken(app, demoToken(app))
  if (!agent) return
  const { uptime_s, ...measured } = metricsAt(new Date())
  const figures = { ...measured, uptime_s, version: '0.1.0', hostname: connected.name }
  await recordCheckIn(app, { host_id: agent.id, address: connected.ipv4, figures })
})

/** Returns the token of the demo agent. It is derived from the installation's key, so it is not stored, and nobody else can compute it. */
export const demoToken = ({ keys }: App): string =>
  AGENT_TOKEN_PREFIX + createHmac('sha256', keys.digests).update('demo agent').digest('base64url')
