import { slot } from '#foundation/contract.ts'

/** The place below the figures of the page Today, for what features further down have to say. */
export const todayNews = slot<object>('operations.today_news')
