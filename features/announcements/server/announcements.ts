export { announcementsBefore } from './queries.ts'
export { publish, readersOf } from './publish.ts'
export { write } from './write.ts'
export { newsReadersFile } from './news-readers.ts'
