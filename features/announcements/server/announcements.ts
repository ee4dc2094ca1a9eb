export { announcementsBefore } from './queries.ts'
export { publish } from './publish.ts'
