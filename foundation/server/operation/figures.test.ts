import { expect, it } from 'vitest'
import { jobKind } from '#foundation/server/jobs/classes.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { jobFigures } from '#foundation/server/jobs/figures.ts'
import { enqueue } from '#foundation/server/jobs/jobs.ts'
import { mailFigures } from '#foundation/server/mail/figures.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { readFigures, type Figures } from './figures.ts'

const { app } = await startTestApp()

const valueOf = (
  values: readonly { metric: string; label?: string | undefined; value: number }[],
  metric: string,
  label?: string,
) => values.find((found) => found.metric === metric && found.label === label)?.value

it('counts the jobs that are due and not those scheduled for later, without the right to read the jobs', async () => {
  await transaction(app, 'system', async (tx) => {
    for (const after_s of [-60, -5, 3600]) enqueue(tx, jobKind('wash', 'rest'), {}, { after_s })
  })
  const values = await readFigures(app, [jobFigures, mailFigures], 0)
  expect(valueOf(values, 'hostdesk_jobs_due', 'wash')).toBe(2)
  expect(valueOf(values, 'hostdesk_jobs_oldest_seconds', 'wash')).toBeGreaterThanOrEqual(60)
  expect(valueOf(values, 'hostdesk_jobs_given_up', 'wash')).toBe(0)
  expect(valueOf(values, 'hostdesk_workers')).toBe(0)
  expect(valueOf(values, 'hostdesk_mails_owed')).toBe(0)
  await expect(app.pool.query('select * from jobs')).rejects.toThrow('permission denied')
})

it('is read once, however many processes are asked at once; a figure that fails takes no other with it', async () => {
  let readings = 0
  const counted: Figures = {
    metrics: { test_readings: { help: 'Readings.' } },
    read: async () => [{ metric: 'test_readings', value: (readings += 1) }],
  }
  const broken: Figures = { metrics: {}, read: () => Promise.reject(new Error('not now')) }
  await app.db
    .updateTable('operation_figures')
    .set({ claimed_at: new Date(0), read_at: null })
    .execute()
  await readFigures(app, [broken, counted], 30)
  const shown = await Promise.all(Array.from({ length: 8 }, () => readFigures(app, [broken, counted], 30)))
  expect(readings).toBe(1)
  for (const values of shown) expect(valueOf(values, 'test_readings')).toBe(1)
})
