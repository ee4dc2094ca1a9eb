export { FigureLink } from './figure-link.tsx'
