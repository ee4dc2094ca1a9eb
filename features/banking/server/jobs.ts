import { job, type Job } from '#foundation/server/jobs/jobs.ts'
import { announce, BOOK_EXACT, bookExact } from './book-exact.ts'
import { ANNOUNCE_LINES } from './line-acts.ts'

export const jobs: readonly Job[] = [job(BOOK_EXACT, bookExact), job(ANNOUNCE_LINES, announce)]
