import type { Handler } from '#foundation/server/http/handler.ts'
import { job, type Job } from '#foundation/server/jobs/jobs.ts'
import {
  changeAnswerCalendar,
  changeAnswerTargets,
  EXPECT_ANEW,
  expectAllAnew,
  readAnswerTimes,
} from './answers.ts'

export const routes: readonly Handler[] = [readAnswerTimes, changeAnswerCalendar, changeAnswerTargets]

export const jobs: readonly Job[] = [job(EXPECT_ANEW, expectAllAnew)]
